#if HAVE_CRYPTO
    internal import CCrypto
#endif

/// libcrypto, which is loaded at its first use and stays; until then it costs nothing.
///
/// A build without its headers (`DASHRIG_MINIMAL=1`) never has it.
public enum CryptoLibrary {
    /// Whether keys can be made and signatures made and verified. The first call loads the library, which takes some
    /// milliseconds and can wait for a disk: in the daemon it is made in a job. Any thread may call.
    public static var isAvailable: Bool { unavailability == nil }

    /// Why not, in one line; nil when the library is there. Loads it as `isAvailable` does.
    public static var unavailability: String? {
        #if HAVE_CRYPTO
            guard dashrig_crypto_load() == nil else { return nil }
            return dashrig_crypto_failure().map { String(cString: $0) } ?? "libcrypto cannot be loaded"
        #else
            return "this build has no libcrypto; build it anew where its headers (libssl-dev) are installed"
        #endif
    }
}

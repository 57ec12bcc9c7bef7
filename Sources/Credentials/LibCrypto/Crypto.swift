internal import CCrypto

/// The loaded library. Its functions are reentrant; what they say of an error is kept for each thread, and taken away
/// here before anyone else can mistake it for his own.
struct Crypto: @unchecked Sendable {
    // Unchecked: a table that is written once, before its address is known.
    let table: UnsafePointer<dashrig_crypto>

    /// The functions.
    var functions: dashrig_crypto { table.pointee }

    /// Loads the library at the first call.
    init() throws(CredentialError) {
        guard let table = dashrig_crypto_load() else {
            throw .unavailable(CryptoLibrary.unavailability ?? "libcrypto cannot be loaded")
        }
        self.table = table
    }

    /// What the library said of the last error of this thread; its queue is empty afterwards.
    func refusal(to what: String) -> CredentialError {
        let code = functions.ERR_get_error()
        clearErrors()
        guard code != 0 else { return .refused(what, "it does not say why") }
        var text = [CChar](repeating: 0, count: 256)
        functions.ERR_error_string_n(code, &text, text.count)
        return .refused(what, String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Forgets what was said of errors.
    func clearErrors() { functions.ERR_clear_error() }

    /// Random bytes.
    func random(_ count: Int) throws(CredentialError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard functions.RAND_bytes(&bytes, Int32(count)) == 1 else { throw refusal(to: "make random bytes") }
        return bytes
    }

    /// What a function writes: asked for its length first, then for the bytes.
    func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
        let length = Int(write(nil))
        guard length > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            var place = buffer.baseAddress
            count = max(0, min(Int(write(&place)), length))
        }
    }

    /// Lets something write to memory; nil when it fails or writes nothing.
    func written(_ write: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let memory = functions.BIO_new(functions.BIO_s_mem()) else { return nil }
        defer { _ = functions.BIO_free_all(memory) }
        guard write(memory) else { return nil }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Int(functions.BIO_read(memory, &part, Int32(part.count)))
            guard count > 0 else { break }
            bytes += part.prefix(count)
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Lets something read from bytes.
    func reading<Value>(_ bytes: [UInt8], _ read: (OpaquePointer) -> Value?) -> Value? {
        bytes.withUnsafeBytes { buffer in
            guard let memory = functions.BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count)) else { return nil }
            defer { _ = functions.BIO_free_all(memory) }
            return read(memory)
        }
    }
}

internal import Glibc

/// Who this process is.
public enum ProcessFacts {
    /// Our process id.
    public static var pid: Int32 { getpid() }
    /// Our effective user id.
    public static var userID: UInt32 { geteuid() }
    /// Our effective group id.
    public static var groupID: UInt32 { getegid() }

    /// How many descriptors this process may have open (RLIMIT_NOFILE, the soft limit); 0 when the kernel does not say.
    public static var descriptorLimit: Int {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Int(clamping: limit.rlim_cur) : 0
    }

    /// The id of a group by name, nil when there is none. Asks the name service, which can block: for start-up only.
    public static func groupID(named name: String) throws(SystemError) -> UInt32? {
        var size = 1024
        while true {
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            var space = [CChar](repeating: 0, count: size)
            let failure = getgrnam_r(name, &entry, &space, size, &found)
            switch failure {
            case 0: return found == nil ? nil : entry.gr_gid
            case EINTR: continue
            // A group with many members needs more room; past a megabyte something else is wrong.
            case ERANGE where size < 1 << 20: size *= 4
            // What the C library answers for "no such group" differs between its sources.
            case ENOENT, ESRCH: return nil
            default: throw SystemError("getgrnam_r", failure, name)
            }
        }
    }
}

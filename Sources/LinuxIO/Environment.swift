internal import CLinux
internal import Glibc

/// Environment variables as a value, so that what reads them can be tested.
public struct Environment: Equatable, Sendable {
    private var values: [String: String]

    /// Variables from nowhere but here.
    public init(_ values: [String: String] = [:]) { self.values = values }

    /// A copy of the process's own environment.
    public static func current() -> Environment {
        var values: [String: String] = [:]
        guard var entry = dashrig_environ() else { return Environment() }
        while let text = entry.pointee {
            let pair = String(cString: text)
            if let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) {
                // The first of two equal names counts, as for getenv.
                let name = String(pair[..<equals])
                if values[name] == nil { values[name] = String(pair[pair.utf8.index(after: equals)...]) }
            }
            entry += 1
        }
        return Environment(values)
    }

    /// One variable of the process's own environment.
    public static func get(_ name: String) -> String? {
        guard let text = getenv(name) else { return nil }
        return String(cString: text)
    }

    /// Removes variables from the process's own environment, so that children do not take them for theirs. Only while
    /// the process has one thread: others could be reading.
    public static func unset(_ names: [String]) {
        for name in names { unsetenv(name) }
    }

    /// A variable's text; nil when it is not set. Assigning changes this value only.
    public subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// "NAME=text" for each variable, sorted, as exec takes them.
    public var lines: [String] {
        values.map { "\($0.key)=\($0.value)" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

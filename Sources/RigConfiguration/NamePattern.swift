/// A pattern over a port or a name: `*` stands for any letters, also none, `?` for one. Everything else, also upper and
/// lower case, is taken as it is. `1-1` is that port alone, `1-1.*` everything behind it.
public struct NamePattern: Equatable, Hashable, Sendable {
    /// The pattern as it was written.
    public let text: String

    /// Takes a pattern.
    public init(_ text: String) { self.text = text }

    /// Whether the whole of `name` fits. Takes at most the product of both lengths in steps.
    public func matches(_ name: String) -> Bool {
        let pattern = Array(text.unicodeScalars)
        let letters = Array(name.unicodeScalars)
        var inPattern = 0
        var inName = 0
        // Where to try again with one more letter for the last star.
        var retry: (pattern: Int, name: Int)?
        while inName < letters.count {
            if inPattern < pattern.count && pattern[inPattern] == "*" {
                retry = (inPattern + 1, inName)
                inPattern += 1
            } else if inPattern < pattern.count && (pattern[inPattern] == "?" || pattern[inPattern] == letters[inName])
            {
                inPattern += 1
                inName += 1
            } else if let last = retry {
                retry = (last.pattern, last.name + 1)
                inPattern = last.pattern
                inName = last.name + 1
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == "*" }
    }
}

/// Which ports or names an instance of the rig takes.
public struct NameFilter: Equatable, Sendable {
    /// What is taken; empty takes everything.
    public var only: [NamePattern]
    /// What is left out of that.
    public var except: [NamePattern]

    /// States a filter; the default takes everything.
    public init(only: [NamePattern] = [], except: [NamePattern] = []) {
        self.only = only
        self.except = except
    }

    /// Whether the name is taken.
    public func admits(_ name: String) -> Bool {
        (only.isEmpty || only.contains { $0.matches(name) }) && !except.contains { $0.matches(name) }
    }
}

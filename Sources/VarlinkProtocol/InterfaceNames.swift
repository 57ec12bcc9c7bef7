/// The rules for names in the interface language, all ASCII.
public enum InterfaceNames {
    /// `org.dashrig.Rig`: at least two parts with dots between; letters, digits and inner hyphens; the first part
    /// starts with a letter, no part ends with a hyphen.
    public static func isInterface(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2, let first = name.utf8.first, isLetter(first) else { return false }
        return parts.allSatisfy { part in
            guard let first = part.first, let last = part.last else { return false }
            return isAlphanumeric(first) && isAlphanumeric(last)
                && part.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// `GetState`: an upper-case letter, then letters and digits.
    public static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first, isUpper(first) else { return false }
        return name.utf8.allSatisfy(isAlphanumeric)
    }

    /// `view_area`, also for words of an enumeration: a letter, then letters and digits with single underscores
    /// between them.
    public static func isField(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        var previousIsUnderscore = false
        for byte in name.utf8 {
            let isUnderscore = byte == UInt8(ascii: "_")
            guard isAlphanumeric(byte) || isUnderscore && !previousIsUnderscore else { return false }
            previousIsUnderscore = isUnderscore
        }
        return !previousIsUnderscore
    }

    /// Cuts a method's or error's full name at its last dot. Nil if there is no dot or nothing on one side of it.
    public static func split(_ fullName: String) -> (interface: String, member: String)? {
        guard let dot = fullName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let interface = String(fullName[..<dot])
        let member = String(fullName[fullName.utf8.index(after: dot)...])
        return interface.isEmpty || member.isEmpty ? nil : (interface, member)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        isUpper(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

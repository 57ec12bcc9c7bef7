/// A configuration file that somebody else has read.
public struct ConfigurationFile: Equatable, Sendable {
    /// Its name, as problems shall tell it.
    public let name: String
    /// What is in it. Not yet known to be UTF-8.
    public let bytes: [UInt8]

    /// Wraps a file's bytes.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Wraps text.
    public init(name: String, text: String) { self.init(name: name, bytes: Array(text.utf8)) }

    /// The file's name without folders and without `.ini`.
    public var stem: String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return last.hasSuffix(".ini") ? String(last.dropLast(4)) : last
    }
}

/// One `key = value` with its place.
public struct INIEntry: Equatable, Sendable {
    /// The key.
    public let key: String
    /// The value, without quotes, comment and outer spaces; may be empty.
    public let value: String
    /// The line, from 1.
    public let line: Int
    /// Where the key begins, in characters from 1.
    public let column: Int
    /// Where the value begins, in characters from 1.
    public let valueColumn: Int
}

/// One section with its entries.
public struct INISection: Equatable, Sendable {
    /// The file it stands in.
    public let file: String
    /// The first word of its header: `display`.
    public let kind: String
    /// The rest of its header, or `nil`: `main`.
    public let name: String?
    /// The header's line, from 1.
    public let line: Int
    /// The header's column, in characters from 1.
    public let column: Int
    /// Its entries in the order of the file; each key once.
    public internal(set) var entries: [INIEntry]
    /// True when a line of the section could not be read: then a missing key says nothing.
    var isDamaged = false

    /// The section as its header spells it.
    public var title: String { name.map { "\(kind) \($0)" } ?? kind }

    /// The entry of a key, or `nil`.
    public func entry(_ key: String) -> INIEntry? { entries.first { $0.key == key } }

    /// A problem at one of its entries.
    func problem(_ entry: INIEntry, _ text: String, suggestion: String? = nil) -> ConfigurationProblem {
        ConfigurationProblem(
            file: file, line: entry.line, section: title, key: entry.key, text: text, suggestion: suggestion)
    }

    /// A problem of the section as a whole, at its header.
    func problem(_ text: String, suggestion: String? = nil) -> ConfigurationProblem {
        ConfigurationProblem(file: file, line: line, section: title, text: text, suggestion: suggestion)
    }
}

/// A configuration file as sections and entries.
///
///     # a comment
///     [display main]
///     pixels = 800x480      ; another one
///     title = "with # and ; inside, \" and \\ too"
///
/// `#` and `;` begin a comment at the start of a line or after a space. A section's header is one word and, where the
/// section needs it, a name. A value reaches to the end of its line; there is no continuation. Lines end with LF or
/// CRLF. A section with the same header, or a key within a section, must not come twice.
public struct INIDocument: Equatable, Sendable {
    /// The file's name.
    public let file: String
    /// The sections in the order of the file.
    public let sections: [INISection]

    /// The largest file in bytes: 256 KiB.
    public static let maximumFile = 262_144
    /// The longest line in bytes: 64 KiB.
    public static let maximumLine = 65_536
    /// The most sections of a file.
    public static let maximumSections = 1_024
    /// The most keys of a section.
    public static let maximumEntries = 1_024

    /// Reads a file. Throws every problem of its form at once; what keys and values mean is not looked at.
    public static func parse(_ file: ConfigurationFile) throws(ConfigurationError) -> INIDocument {
        var parser = INIParser(file: file)
        parser.run()
        guard parser.problems.isEmpty else { throw ConfigurationError(parser.problems) }
        return INIDocument(file: file.name, sections: parser.sections)
    }
}

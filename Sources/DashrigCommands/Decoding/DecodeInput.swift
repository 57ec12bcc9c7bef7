internal import LinuxIO

/// The bytes that a person hands to `decode`: hexadecimal words, a file, or standard input.
struct DecodeInput {
    /// Where they come from: a path or `standard input`; nothing for words of the command line.
    let source: String?
    /// How they were written: `binary`, or a form of text.
    let form: String
    /// What they are.
    let bytes: [UInt8]

    /// The most bytes of a file: ours, some hours of a session without file transfer.
    static let maximumFile = 16 << 20

    private init(source: String?, form: String, bytes: [UInt8]) {
        self.source = source
        self.form = form
        self.bytes = bytes
    }

    /// Reads the operands of a command. What reads as hexadecimal digits is that; a file of such a name is `./NAME`.
    static func read(_ words: [String]) throws(CommandLineFailure) -> DecodeInput {
        if words == ["-"] {
            return try contents("standard input") { () throws(FileError) in
                try FileContents.read(descriptor: 0, limit: maximumFile, name: "standard input")
            }
        }
        let failure: HexInput.Failure
        switch hexadecimal(Array(words.joined(separator: " ").utf8)) {
        case .success(let input):
            return try notEmpty(DecodeInput(source: nil, form: input.form.rawValue, bytes: input.bytes))
        case .failure(let error): failure = error
        }
        if words.count == 1, words[0].contains("/") || (try? FileFacts(path: words[0])) != nil {
            return try contents(words[0]) { () throws(FileError) in
                try FileContents.read(words[0], limit: maximumFile)
            }
        }
        let place = words.count == 1 ? ", and there is no file of that name" : ""
        throw .usage(UsageFailure("HEX: \(failure.description)\(place)", path: ["decode"]))
    }

    /// Hexadecimal digits of an option.
    static func option(_ name: String, _ text: String) throws(CommandLineFailure) -> [UInt8] {
        do throws(HexInput.Failure) {
            return try HexInput(Array(text.utf8), limit: maximumFile).bytes
        } catch {
            throw .usage(UsageFailure("\(name): \(error.description)", path: ["decode"]))
        }
    }

    private static func contents(
        _ name: String, _ read: () throws(FileError) -> [UInt8]
    ) throws(CommandLineFailure) -> DecodeInput {
        let contents: [UInt8]
        do {
            contents = try read()
        } catch {
            throw .file(error.description)
        }
        guard isText(contents) else { return DecodeInput(source: name, form: "binary", bytes: contents) }
        switch hexadecimal(contents) {
        case .success(let input):
            return try notEmpty(DecodeInput(source: name, form: input.form.rawValue, bytes: input.bytes))
        case .failure(let error): throw .file("\(name): \(error.description)")
        }
    }

    private static func hexadecimal(_ text: [UInt8]) -> Result<HexInput, HexInput.Failure> {
        Result { () throws(HexInput.Failure) in try HexInput(text, limit: maximumFile) }
    }

    private static func notEmpty(_ input: DecodeInput) throws(CommandLineFailure) -> DecodeInput {
        guard input.bytes.isEmpty else { return input }
        if let source = input.source { throw .file("\(source): there are no bytes in it") }
        throw .usage(UsageFailure("HEX: there are no bytes in it", path: ["decode"]))
    }

    /// Whether a file is text: UTF-8 without control characters but tabs and line ends. What a link, a control stream or a
    /// descriptor holds is never that: a link's packets have FF in them, messages and descriptors small numbers.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        let isPlain = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
        return isPlain && String(validating: bytes, as: UTF8.self) != nil
    }
}

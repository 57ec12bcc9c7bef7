public import RigModel

/// What the keys of a kind of device mean. A rule names the keymaps that hold for it.
public struct Keymap: Equatable, Sendable {
    /// Its name, each once in a table.
    public let name: String
    /// Its keys in the order of the file, each once.
    public let keys: [KeyBinding]

    /// The most keymaps of a table.
    public static let maximumKeymaps = 128
}

extension Keymap {
    /// Reads one section, in which every key is an event code.
    static func read(_ reader: inout SectionReader) -> Keymap? {
        let name = reader.section.name ?? ""
        if !DisplayDescription.isName(name) {
            reader.refuse("a keymap's name has 1 to 32 letters, digits, '-', '_' or '.'")
        }
        var keys: [KeyBinding] = []
        for entry in reader.section.entries {
            do throws(ConfigurationValueError) {
                let code = try EventCodes.code(entry.key, EventCodes.keys)
                let meaning = try KeyMeaning(words: entry.value)
                if keys.contains(where: { $0.code == code }) {
                    reader.refuse(entry, "this keymap has the code \(code) already")
                } else if keys.count < InputLayout.maximumKeys {
                    keys.append(KeyBinding(code, meaning))
                } else {
                    reader.refuse(entry, "a keymap has at most \(InputLayout.maximumKeys) keys")
                }
            } catch {
                reader.refuse(entry, error.text, suggestion: error.suggestion)
            }
        }
        if reader.problems.isEmpty && keys.isEmpty && !reader.section.isDamaged {
            reader.refuse("a keymap has at least one key, as in KEY_ENTER = press")
        }
        return reader.problems.isEmpty && !reader.section.isDamaged ? Keymap(name: name, keys: keys) : nil
    }
}

extension KeyMeaning {
    /// `press`, `turn 1`, `nudge up-left`, or a key of the car: `home`, `hang-up`.
    init(words: String) throws(ConfigurationValueError) {
        let parts = words.split(separator: " ")
        switch (parts.first, parts.count) {
        case ("press", 1): self = .press
        case ("turn", 2):
            let number = parts[1].first == "-" ? parts[1].dropFirst() : parts[1]
            let detents = try ConfigurationValue.integer(String(number), in: 1...100)
            self = .turn(detents: Int32(clamping: parts[1].first == "-" ? -detents : detents))
        case ("nudge", 2):
            self = .nudge(try ConfigurationValue.choice(String(parts[1]), of: NudgeDirection.self))
        case (.some, 1):
            do throws(ConfigurationValueError) {
                self = .key(try ConfigurationValue.choice(words, of: Key.self))
            } catch {
                let known = ["press", "turn", "nudge"]
                throw ConfigurationValueError(
                    error.text + "; nor is it press, turn N or nudge DIRECTION",
                    suggestion: error.suggestion ?? Spelling.nearest(to: words, among: known))
            }
        default:
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(words)) is none of press, turn N, nudge DIRECTION and a key of the car")
        }
    }
}

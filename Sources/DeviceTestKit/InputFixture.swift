/// Input devices in umockdev's text form.
enum InputFixture {
    static func device(_ profile: EvdevProfile, path: String) -> String {
        let id = profile.id
        func hex(_ value: UInt16) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: 4 - text.count) + text
        }
        var lines = [
            "P: \(path)", "E: SUBSYSTEM=input",
            "E: PRODUCT=\(String(id.bus, radix: 16))/\(String(id.vendor, radix: 16))/"
                + "\(String(id.product, radix: 16))/\(String(id.version, radix: 16))",
            "E: NAME=\"\(profile.name)\"",
        ]
        let sets: [(String, [UInt16])] = [
            ("ev", profile.types), ("key", profile.keys), ("rel", profile.relative), ("abs", profile.absolute),
            ("msc", []), ("led", []), ("snd", []), ("ff", []), ("sw", []),
        ]
        for (name, codes) in sets { lines.append("A: capabilities/\(name)=\(bitmap(codes))\\n") }
        lines += [
            "A: properties=\(bitmap(profile.properties))\\n", "A: name=\(profile.name)\\n",
            "A: phys=\(profile.phys)\\n",
            "A: uniq=\\n", "A: id/bustype=\(hex(id.bus))\\n", "A: id/vendor=\(hex(id.vendor))\\n",
            "A: id/product=\(hex(id.product))\\n", "A: id/version=\(hex(id.version))\\n",
        ]
        return lines.joined(separator: "\n") + "\n\n"
    }

    static func node(path: String, number: Int) -> String {
        let minor = 64 + number
        return [
            "P: \(path)", "E: SUBSYSTEM=input", "E: DEVNAME=/dev/input/event\(number)", "E: MAJOR=13",
            "E: MINOR=\(minor)", "E: ID_INPUT=1", "A: dev=13:\(minor)\\n",
        ].joined(separator: "\n") + "\n\n"
    }

    /// The kernel's way to print a set of codes.
    private static func bitmap(_ codes: [UInt16]) -> String {
        var words: [UInt] = [0]
        for code in codes {
            let index = Int(code) / UInt.bitWidth
            while words.count <= index { words.append(0) }
            words[index] |= 1 << UInt(Int(code) % UInt.bitWidth)
        }
        return words.reversed().map { String($0, radix: 16) }.joined(separator: " ")
    }
}

internal import ControlProtocol

/// The table of messages inside of the dissector for Wireshark, which is otherwise written by hand.
enum WiresharkMessages {
    private static let begin = "-- begin of messages"
    private static let end = "-- end of messages"

    /// The dissector with its table as this program's own; nothing when it has no place for one.
    static func spliced(into text: String) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.firstIndex(where: { $0.hasPrefix(begin) }),
            let last = lines.firstIndex(where: { $0.hasPrefix(end) }), first < last
        else { return nil }
        lines.replaceSubrange((first + 1)..<last, with: table)
        return lines.joined(separator: "\n")
    }

    private static var table: [String] {
        let entries = MessageID.known.map { id in
            let digits = String(id.rawValue, radix: 16, uppercase: true)
            let number = "0x" + String(repeating: "0", count: 4 - digits.count) + digits
            let sender =
                switch id.sender {
                case .accessory?: "head unit"
                case .device?: "phone"
                case nil: "unknown"
                }
            return "    [\(number)] = { \"\(id.name ?? "")\", \"\(sender)\" },"
        }
        return ["local messages = {"] + entries + ["}"]
    }
}

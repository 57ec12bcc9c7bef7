/// What is known of one message: its number, name, sender and parameters.
public struct MessageLayout: Equatable, Sendable {
    /// The number.
    public let id: MessageID
    /// The name, upper camel case.
    public let name: String
    /// Who sends it.
    public let sender: MessageID.Sender
    /// Its parameters. Which of them are there is for the sender to say.
    public let fields: [MessageField]

    init(_ id: UInt16, _ name: String, _ sender: MessageID.Sender, _ fields: [MessageField] = []) {
        self.id = MessageID(id)
        self.name = name
        self.sender = sender
        self.fields = fields
    }

    /// The layout of a typed message, from its bindings.
    init(_ type: (some MappedMessage).Type, _ name: String, _ sender: MessageID.Sender) {
        self.init(type.messageID.rawValue, name, sender, type.fields)
    }
}

/// Every known message, as data: the one table by which messages are named, shown, written by hand and checked.
///
/// Numbers, names and senders are those on which two or more public projects or a device capture agree; fields are those
/// of the projects named at each table, `[1]` where one alone has them. D500 and D501 are Dashrig's own: a range that no
/// source shows in use.
public enum MessageCatalogue {
    /// The longest text taken or written by name and value, in bytes of UTF-8: ours, far beyond a name or a sentence.
    public static let maximumTextLength = 4096
    /// How deep groups may lie in groups: ours; 2 in what was seen.
    public static let maximumDepth = 8
    /// The most parameters of one message with those of its groups, when it is read or written by name and value: ours.
    public static let maximumFields = 4096

    /// Every layout, by ascending number.
    public static let all: [MessageLayout] = {
        let tables = [
            connection, telephony, media, device, session, routeGuidance, wiFi, input, vehicle, authentication, power,
            externalAccessory, location, own,
        ]
        return tables.flatMap(\.self).sorted { $0.id < $1.id }
    }()

    /// What is known of a number, or nil.
    public static func layout(of id: MessageID) -> MessageLayout? {
        let all = all
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].id < id { low = middle + 1 } else { high = middle }
        }
        guard low < all.count, all[low].id == id else { return nil }
        return all[low]
    }

    /// The number of a name as it is in the catalogue, or of a number in hexadecimal as `0x5001`; nil for anything else.
    public static func id(named name: String) -> MessageID? {
        if let layout = all.first(where: { $0.name == name }) { return layout.id }
        guard name.hasPrefix("0x"), (3...6).contains(name.utf8.count) else { return nil }
        return UInt16(name.dropFirst(2), radix: 16).map { MessageID($0) }
    }
}

/// The number of a control message, and what is known of it; see `MessageCatalogue`. Unknown numbers are kept as they
/// are.
public struct MessageID: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Which side sends a message.
    public enum Sender: String, Hashable, Sendable, CaseIterable {
        /// The head unit.
        case accessory
        /// The phone.
        case device
    }

    /// The value as it is on the wire.
    public let rawValue: UInt16

    /// Keeps any number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Short form for tables.
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// By number.
    public static func < (left: MessageID, right: MessageID) -> Bool { left.rawValue < right.rawValue }

    /// Every known number, ascending.
    public static var known: [MessageID] { MessageCatalogue.all.map(\.id) }

    /// The name, or nil when the number is unknown.
    public var name: String? { MessageCatalogue.layout(of: self)?.name }

    /// Who sends it, or nil when the number is unknown.
    public var sender: Sender? { MessageCatalogue.layout(of: self)?.sender }

    /// Authentication and identification: the messages that no side lists in its identification (NOC).
    public var isFramework: Bool { rawValue >> 8 == 0xAA || rawValue >> 8 == 0x1D }

    /// The number as `0xAA00`.
    public var hexadecimal: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// The number in hexadecimal and the name when there is one: `0xAA00 RequestAuthenticationCertificate`.
    public var description: String {
        guard let name else { return hexadecimal }
        return "\(hexadecimal) \(name)"
    }
}

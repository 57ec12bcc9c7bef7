import HIDReports
import WireBytes

/// Descriptors that are known from elsewhere, as hex.
enum HIDVectors {
    /// LIVI's knob.
    static let knob = """
        05 01 09 08 A1 01 05 09 09 01 15 00 25 01 75 01 95 01 81 02 05 0C 0A 23 02 0A 24 02 95 02 81 02 95 05 81 01
        05 01 09 01 A1 00 09 30 09 31 15 81 25 7F 75 08 95 02 81 02 C0 09 38 15 81 25 7F 75 08 95 01 81 06 C0
        """

    /// The configuration of an iPod that carries a link in vendor reports, 208 bytes; from a real iPad (IPG, MIT).
    static let iPod = """
        0600ff0901a1017508268000150009018501950582020109018502950982020109018503950d82020109018504951182020109018505951982
        020109018506953182020109018507955f8202010901850895c1820201090185099601018202010901850a9681018202010901850b96010282
        02010901850c96ff028202010901850d95059202010901850e95099202010901850f950d920201090185109511920201090185119519920201
        0901851295319202010901851395 5f9202010901851495c19202010901851595ff920201c0
        """

    static func bytes(_ text: String) -> [UInt8] { (try? HexText.parse(text.filter { !$0.isWhitespace })) ?? [] }

    static func descriptor(_ text: String) throws -> HIDDescriptor { try HIDDescriptor.parse(bytes(text)) }
}

/// Where a field lies and what it is for, in a form that is quick to write and to compare.
struct Place: Equatable, CustomStringConvertible {
    var bit: Int
    var bits: Int
    var count: Int
    var range: ClosedRange<Int>
    var flags: HIDFieldFlags
    var usages: [HIDUsage]

    init(
        _ bit: Int, _ bits: Int, _ count: Int, _ range: ClosedRange<Int>, _ flags: HIDFieldFlags,
        _ usages: [HIDUsage] = []
    ) {
        self.bit = bit
        self.bits = bits
        self.count = count
        self.range = range
        self.flags = flags
        self.usages = usages
    }

    /// Padding.
    init(_ bit: Int, _ bits: Int, _ count: Int, _ flags: HIDFieldFlags) { self.init(bit, bits, count, 0...0, flags) }

    init(_ field: HIDField) {
        self.init(
            field.bitOffset, field.bitSize, field.count,
            field.flags.contains(.constant) ? 0...0 : field.logicalMinimum...field.logicalMaximum, field.flags,
            (0..<24).prefix { field.usage(at: $0) != nil }.compactMap { field.usage(at: $0) })
    }

    var description: String { "\(bit)+\(bits)×\(count) \(range) \(flags.rawValue) \(usages)" }
}

extension HIDDescriptor {
    var places: [Place] { fields.map { Place($0) } }
}

/// The six strings by which an Android phone knows an accessory ([2+] AOA).
public struct AccessoryStrings: Equatable, Sendable {
    /// The six, by their ids.
    public enum Field: UInt16, CaseIterable, Sendable {
        case manufacturer = 0
        case model = 1
        case description = 2
        case version = 3
        case uri = 4
        case serial = 5
    }

    /// Why a string cannot be sent.
    public enum Problem: Error, Equatable, Sendable {
        /// It has more than `AccessoryStrings.maximumBytes` bytes as UTF-8.
        case tooLong(Field, bytes: Int)
        /// It holds a NUL, where the phone would end it.
        case holdsNUL(Field)
    }

    /// The most bytes of one string as UTF-8; with its NUL it has 256, which is the protocol's limit ([2+] AOA).
    public static let maximumBytes = 255

    private let bytes: [[UInt8]]

    /// The six strings; empty ones are sent as such. Manufacturer "Android" and model "Android Auto" start Android Auto
    /// on the phone ([2+] AAS, HUR, LIVI); others start whatever app asked for them.
    public init(
        manufacturer: String, model: String, description: String, version: String, uri: String, serial: String
    ) throws(Problem) {
        var bytes: [[UInt8]] = []
        for (field, text) in zip(Field.allCases, [manufacturer, model, description, version, uri, serial]) {
            let utf8 = Array(text.utf8)
            if utf8.contains(0) { throw .holdsNUL(field) }
            if utf8.count > Self.maximumBytes { throw .tooLong(field, bytes: utf8.count) }
            bytes.append(utf8 + [0])
        }
        self.bytes = bytes
    }

    /// One string with its NUL: some accessories send it without ([X] HUR), phones take both.
    public func terminated(_ field: Field) -> [UInt8] { bytes[Int(field.rawValue)] }
}

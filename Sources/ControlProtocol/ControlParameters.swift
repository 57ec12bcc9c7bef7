public import WireBytes

/// The parameters of a message or group, in their wire form: kept byte for byte, read in place, built by appending.
///
/// Reading checks the layout as far as it goes; bytes that nobody reads are passed on as they came.
public struct ControlParameters: Equatable, Sendable {
    /// The most parameters that one message or group may hold: ours, far beyond what was seen.
    public static let maximumCount = 1024

    /// The wire form.
    public private(set) var encoded: ArraySlice<UInt8>
    /// Bytes from the start of the outermost message to these parameters.
    public let offset: Int

    /// No parameters.
    public init() {
        encoded = []
        offset = 0
    }

    /// Parameters as they came; the layout is checked when it is read.
    public init(encoded: ArraySlice<UInt8>, offset: Int = 0) {
        self.encoded = encoded
        self.offset = offset
    }

    /// Equal bytes, wherever they stand.
    public static func == (left: ControlParameters, right: ControlParameters) -> Bool {
        left.encoded == right.encoded
    }

    /// True when there is no parameter.
    public var isEmpty: Bool { encoded.isEmpty }

    // MARK: Reading

    /// Reads the parameters one after the other.
    public struct Reader: Sendable {
        private var bytes: ByteReader

        init(_ parameters: ControlParameters) {
            bytes = ByteReader(parameters.encoded, offset: parameters.offset)
        }

        /// The next parameter, or nil at the end. Throws when lengths do not add up.
        public mutating func next() throws(WireError) -> ControlParameter? {
            guard !bytes.isAtEnd else { return nil }
            let start = bytes.offset
            let length: UInt16 = try bytes.read()
            guard Int(length) >= ControlParameter.headerLength else {
                throw WireError(
                    .outOfRange(value: UInt64(length), minimum: UInt64(ControlParameter.headerLength), maximum: 65_535),
                    offset: start, field: "parameter length")
            }
            let id: UInt16 = try bytes.read()
            let value = bytes.offset
            do throws(WireError) {
                return ControlParameter(
                    id: id, value: try bytes.readBytes(Int(length) - ControlParameter.headerLength), offset: value)
            } catch {
                throw error.naming("parameter \(id)")
            }
        }
    }

    /// A reader at the first parameter.
    public var reader: Reader { Reader(self) }

    /// All parameters in order. Throws when lengths do not add up or there are more than `maximumCount`.
    public func all() throws(WireError) -> [ControlParameter] {
        var list: [ControlParameter] = []
        var reader = reader
        while let parameter = try reader.next() {
            guard list.count < Self.maximumCount else {
                throw WireError(.tooMany(limit: Self.maximumCount), offset: parameter.offset, field: "parameters")
            }
            list.append(parameter)
        }
        return list
    }

    /// Every parameter with this number, in order.
    public func all(_ id: UInt16) throws(WireError) -> [ControlParameter] {
        try all().filter { $0.id == id }
    }

    /// The parameter with this number, or nil. Throws `.repeated` when there are several.
    public func first(_ id: UInt16) throws(WireError) -> ControlParameter? {
        var found: ControlParameter?
        var reader = reader
        while let parameter = try reader.next() {
            guard parameter.id == id else { continue }
            guard found == nil else {
                throw WireError(.repeated, offset: parameter.offset, field: "parameter \(id)")
            }
            found = parameter
        }
        return found
    }

    /// The parameter with this number. Throws `.missing` when there is none, `.repeated` when there are several.
    public func required(_ id: UInt16) throws(WireError) -> ControlParameter {
        guard let parameter = try first(id) else {
            throw WireError(.missing, offset: offset, field: "parameter \(id)")
        }
        return parameter
    }

    /// True when a presence flag with this number is there. Throws when it is not empty.
    public func hasFlag(_ id: UInt16) throws(WireError) -> Bool {
        guard let parameter = try first(id) else { return false }
        try parameter.flag()
        return true
    }

    // MARK: Building

    /// Appends a parameter of these bytes. Throws `.excess` when they fit no parameter.
    public mutating func append(_ id: UInt16, bytes: some Collection<UInt8>) throws(WireError) {
        guard bytes.count <= ControlParameter.maximumValueLength else {
            throw WireError(
                .excess(limit: ControlParameter.maximumValueLength, actual: bytes.count), offset: encoded.count,
                field: "parameter \(id)")
        }
        appendHeader(id, valueLength: bytes.count)
        encoded.append(contentsOf: bytes)
    }

    /// Appends a presence flag: an empty parameter.
    public mutating func appendFlag(_ id: UInt16) {
        appendHeader(id, valueLength: 0)
    }

    /// Appends one big-endian integer.
    public mutating func append<Integer: FixedWidthInteger>(_ id: UInt16, _ value: Integer) {
        appendHeader(id, valueLength: Integer.bitWidth / 8)
        appendInteger(value)
    }

    /// Appends one byte, 0 or 1.
    public mutating func append(_ id: UInt16, _ value: Bool) {
        append(id, value ? 1 as UInt8 : 0)
    }

    /// Appends UTF-8 text with its NUL. Throws when it holds a NUL of its own or fits no parameter.
    public mutating func append(_ id: UInt16, text: String) throws(WireError) {
        let bytes = Array(text.utf8)
        guard !bytes.contains(0) else {
            throw WireError(.invalidText, offset: encoded.count, field: "parameter \(id)")
        }
        try append(id, bytes: bytes + [0])
    }

    /// Appends packed u16 numbers. Throws `.excess` when they fit no parameter.
    public mutating func append(_ id: UInt16, integers: [UInt16]) throws(WireError) {
        guard integers.count * 2 <= ControlParameter.maximumValueLength else {
            throw WireError(
                .excess(limit: ControlParameter.maximumValueLength, actual: integers.count * 2),
                offset: encoded.count, field: "parameter \(id)")
        }
        appendHeader(id, valueLength: integers.count * 2)
        for value in integers { appendInteger(value) }
    }

    /// Appends packed message numbers. Throws `.excess` when they fit no parameter.
    public mutating func append(_ id: UInt16, messageIDs: [MessageID]) throws(WireError) {
        try append(id, integers: messageIDs.map(\.rawValue))
    }

    /// Appends a parameter that holds parameters. Throws `.excess` when they fit no parameter.
    public mutating func append(_ id: UInt16, group: ControlParameters) throws(WireError) {
        try append(id, bytes: group.encoded)
    }

    private mutating func appendHeader(_ id: UInt16, valueLength: Int) {
        appendInteger(UInt16(truncatingIfNeeded: valueLength + ControlParameter.headerLength))
        appendInteger(id)
    }

    private mutating func appendInteger<Integer: FixedWidthInteger>(_ value: Integer) {
        var shift = Integer.bitWidth
        while shift > 0 {
            shift -= 8
            encoded.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}

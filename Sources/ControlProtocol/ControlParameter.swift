public import WireBytes

/// One parameter of a control message: a number and a value whose type the message's layout tells.
///
/// Layout [C]: u16 length with the four bytes of length and number, u16 number, value. All integers are big-endian.
public struct ControlParameter: Equatable, Sendable {
    /// Bytes before the value. [C]
    public static let headerLength = 4
    /// The longest value that the length field can tell.
    public static let maximumValueLength = 65_535 - headerLength

    /// The number, unique in its message or group unless it is a list.
    public let id: UInt16
    /// The value's bytes: a slice of the message.
    public let value: ArraySlice<UInt8>
    /// Bytes from the start of the outermost message to the value.
    public let offset: Int

    /// Makes a parameter; `offset` is what errors call the place of its value.
    public init(id: UInt16, value: ArraySlice<UInt8>, offset: Int = 0) {
        self.id = id
        self.value = value
        self.offset = offset
    }

    /// Equal numbers and values, wherever they stand.
    public static func == (left: ControlParameter, right: ControlParameter) -> Bool {
        left.id == right.id && left.value == right.value
    }

    private var field: String { "parameter \(id)" }

    /// The value as one big-endian integer, exactly as wide as `Integer`.
    public func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws(WireError) -> Integer {
        var reader = ByteReader(value, offset: offset)
        do throws(WireError) {
            let result: Integer = try reader.read()
            try reader.expectEnd()
            return result
        } catch {
            throw error.naming(field)
        }
    }

    /// The value as one byte that is 0 or 1.
    public func boolean() throws(WireError) -> Bool {
        let byte: UInt8 = try integer()
        guard byte <= 1 else {
            throw WireError(.outOfRange(value: UInt64(byte), minimum: 0, maximum: 1), offset: offset, field: field)
        }
        return byte == 1
    }

    /// The value as UTF-8 text that ends with its only NUL. Throws `.excess` for more than `limit` bytes without the NUL.
    public func text(limit: Int = maximumValueLength) throws(WireError) -> String {
        guard let end = value.lastIndex(of: 0), end == value.endIndex - 1, value.firstIndex(of: 0) == end else {
            throw WireError(.invalidText, offset: offset, field: field)
        }
        guard value.count - 1 <= limit else {
            throw WireError(.excess(limit: limit, actual: value.count - 1), offset: offset, field: field)
        }
        guard let text = String(validating: value.dropLast(), as: UTF8.self) else {
            throw WireError(.invalidText, offset: offset, field: field)
        }
        return text
    }

    /// The value as bytes, at most `limit` of them.
    public func bytes(limit: Int = maximumValueLength) throws(WireError) -> [UInt8] {
        guard value.count <= limit else {
            throw WireError(.excess(limit: limit, actual: value.count), offset: offset, field: field)
        }
        return Array(value)
    }

    /// The value as packed u16 numbers.
    public func integers() throws(WireError) -> [UInt16] {
        var reader = ByteReader(value, offset: offset)
        var list: [UInt16] = []
        list.reserveCapacity(value.count / 2)
        do throws(WireError) {
            while !reader.isAtEnd { list.append(try reader.read()) }
        } catch {
            throw error.naming(field)
        }
        return list
    }

    /// The value as packed message numbers.
    public func messageIDs() throws(WireError) -> [MessageID] {
        try integers().map { MessageID($0) }
    }

    /// Throws unless the value is empty, as a presence flag must be; phones refuse `01` there (NOC).
    public func flag() throws(WireError) {
        guard value.isEmpty else {
            throw WireError(.excess(limit: 0, actual: value.count), offset: offset, field: field)
        }
    }

    /// The value as parameters of its own.
    public func group() -> ControlParameters {
        ControlParameters(encoded: value, offset: offset)
    }
}

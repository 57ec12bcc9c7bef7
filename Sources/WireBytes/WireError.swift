// WireBytes: bounded reading and writing of big-endian bytes, 8-bit checksums and hex text. It knows no protocol, and
// nothing in it traps on what the bytes say. Start at `ByteReader`.

/// What was wrong with bytes that were read, or with values that do not fit into bytes.
///
/// The fault is with whoever supplied the bytes or values; the caller knows who that is.
public struct WireError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The way in which bytes and layout disagree.
    public enum Kind: Equatable, Sendable {
        /// The input ends too early: `needed` bytes were asked for, `available` were left.
        case truncated(needed: Int, available: Int)
        /// More bytes than the layout has room for. Both in bytes.
        case excess(limit: Int, actual: Int)
        /// A number lies outside its legal range (inclusive).
        case outOfRange(value: UInt64, minimum: UInt64, maximum: UInt64)
        /// More elements than the limit of a list.
        case tooMany(limit: Int)
        /// A value that must be present is missing.
        case missing
        /// A value that may be there once is there again.
        case repeated
        /// Text is not UTF-8, or not ended by its NUL.
        case invalidText
        /// Something else; the text says what, in plain words.
        case invalid(String)
    }

    /// What is wrong.
    public var kind: Kind
    /// Where: bytes (characters for hex text) from the start of the outermost input.
    public var offset: Int
    /// Which field, in the words of its layout; empty when the reader does not know.
    public var field: String

    /// Makes an error at `offset` bytes from the start of the outermost input.
    public init(_ kind: Kind, offset: Int, field: String = "") {
        self.kind = kind
        self.offset = offset
        self.field = field
    }

    /// The same error with the field's name, unless an inner layer has named it already.
    public func naming(_ name: String) -> WireError {
        field.isEmpty ? WireError(kind, offset: offset, field: name) : self
    }

    /// The same error with its offset moved by `distance` bytes, for input that lies inside a larger one.
    public func moved(by distance: Int) -> WireError {
        let (sum, overflow) = offset.addingReportingOverflow(distance)
        return WireError(kind, offset: overflow ? offset : sum, field: field)
    }

    /// One line for people: field, what, where.
    public var description: String {
        let subject = field.isEmpty ? "" : "\(field): "
        let what =
            switch kind {
            case .truncated(let needed, let available): "needs \(needed) bytes, \(available) left"
            case .excess(let limit, let actual): "\(actual) bytes where at most \(limit) fit"
            case .outOfRange(let value, let minimum, let maximum): "\(value) is outside \(minimum)...\(maximum)"
            case .tooMany(let limit): "more than \(limit) elements"
            case .missing: "missing"
            case .repeated: "given more than once"
            case .invalidText: "not NUL-terminated UTF-8 text"
            case .invalid(let reason): reason
            }
        return "\(subject)\(what) at offset \(offset)"
    }
}

/// A key of `StandardInput.mediaKeys`, by its number in the report.
public enum MediaKey: UInt8, Sendable, CaseIterable {
    case play = 1
    case pause, playPause, next, previous
    /// Says the route guidance again.
    case navigationGuidance

    /// What it is on the consumer page.
    public var usage: HIDUsage {
        let id: UInt16 =
            switch self {
            case .play: 0xB0
            case .pause: 0xB1
            case .playPause: 0xCD
            case .next: 0xB5
            case .previous: 0xB6
            case .navigationGuidance: 0x029E
            }
        return HIDUsage(HIDUsage.consumerPage, id)
    }
}

/// A key of `StandardInput.telephonyKeys`, by its number in the report.
public enum TelephonyKey: UInt8, Sendable, CaseIterable {
    /// Takes a call, or ends it.
    case hookSwitch = 1
    /// Takes or holds a second call.
    case flash
    /// Ends a call.
    case drop
    case mute
    case digit0, digit1, digit2, digit3, digit4, digit5, digit6, digit7, digit8, digit9
    case star, pound
    case delete

    /// What it is on the telephony page; `delete` on the keyboard's.
    public var usage: HIDUsage {
        switch self {
        case .hookSwitch: HIDUsage(HIDUsage.telephonyPage, 0x20)
        case .flash: HIDUsage(HIDUsage.telephonyPage, 0x21)
        case .drop: HIDUsage(HIDUsage.telephonyPage, 0x26)
        case .mute: HIDUsage(HIDUsage.telephonyPage, 0x2F)
        case .digit0, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9, .star, .pound:
            HIDUsage(HIDUsage.telephonyPage, 0xB0 + UInt16(rawValue - Self.digit0.rawValue))
        case .delete: .keyboardDelete
        }
    }
}

/// A key of `StandardInput.consumerRemote`, by its bit in the report.
public enum ConsumerRemoteKey: UInt8, Sendable, CaseIterable {
    case playPause = 0
    case next, previous, volumeUp, volumeDown, mute, shuffle, `repeat`
    /// Likes what is playing.
    case promote
    /// Dislikes what is playing.
    case demote

    /// What it is on the consumer page.
    public var usage: HIDUsage {
        let id: UInt16 =
            switch self {
            case .playPause: 0xCD
            case .next: 0xB5
            case .previous: 0xB6
            case .volumeUp: 0xE9
            case .volumeDown: 0xEA
            case .mute: 0xE2
            case .shuffle: 0xB9
            case .repeat: 0xBC
            case .promote: 0x025B
            case .demote: 0x025C
            }
        return HIDUsage(HIDUsage.consumerPage, id)
    }
}

/// A report of one byte: the media key that is held, or none.
public struct MediaKeyReport: InputReport {
    /// The key, `nil` for none.
    public var key: MediaKey?

    /// States a report.
    public init(_ key: MediaKey?) { self.key = key }

    /// Reads a report. Throws when it is not one byte or names no key.
    public init(_ bytes: ArraySlice<UInt8>) throws(HIDReportError) {
        key = try bytes.key(MediaKey.allCases.count, MediaKey.init(rawValue:))
    }

    /// Appends the report's bytes.
    public func encode(into bytes: inout [UInt8]) { bytes.append(key?.rawValue ?? 0) }
}

/// A report of one byte: the telephony key that is held, or none.
public struct TelephonyKeyReport: InputReport {
    /// The key, `nil` for none.
    public var key: TelephonyKey?

    /// States a report.
    public init(_ key: TelephonyKey?) { self.key = key }

    /// Reads a report. Throws when it is not one byte or names no key.
    public init(_ bytes: ArraySlice<UInt8>) throws(HIDReportError) {
        key = try bytes.key(TelephonyKey.allCases.count, TelephonyKey.init(rawValue:))
    }

    /// Appends the report's bytes.
    public func encode(into bytes: inout [UInt8]) { bytes.append(key?.rawValue ?? 0) }
}

/// A report of two bytes: one bit per key of a remote.
public struct ConsumerRemoteReport: InputReport {
    /// Bytes of a report.
    public static let byteCount = 2

    /// The keys as in the report: bit n is the key of raw value n.
    public private(set) var bits: UInt16

    /// States a report.
    public init(_ keys: [ConsumerRemoteKey] = []) {
        bits = keys.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// Reads a report. Throws when it is not two bytes; unused bits are not looked at.
    public init(_ bytes: ArraySlice<UInt8>) throws(HIDReportError) {
        let bytes = try bytes.whole(Self.byteCount)
        let used = UInt16(1) << UInt16(ConsumerRemoteKey.allCases.count) - 1
        bits = (UInt16(bytes[0]) | UInt16(bytes[1]) << 8) & used
    }

    /// The keys that are held, in the order of their bits.
    public var keys: [ConsumerRemoteKey] {
        ConsumerRemoteKey.allCases.filter { bits & 1 << UInt16($0.rawValue) != 0 }
    }

    /// Appends the report's bytes.
    public func encode(into bytes: inout [UInt8]) {
        bytes.append(UInt8(bits & 0xFF))
        bytes.append(UInt8(bits >> 8))
    }
}

extension ArraySlice<UInt8> {
    /// The key that one byte names, `nil` for 0.
    fileprivate func key<Key>(_ count: Int, _ make: (UInt8) -> Key?) throws(HIDReportError) -> Key? {
        let byte = try whole(1)[0]
        guard byte != 0 else { return nil }
        guard let key = make(byte) else {
            throw .outOfRange(value: Int(byte), minimum: 0, maximum: count, offset: 0)
        }
        return key
    }
}

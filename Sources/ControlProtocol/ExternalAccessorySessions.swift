/// The sessions that apps of the phone have open with the unit: numbers that EA00 gives, and that the packets of the
/// external accessory channel carry in their first two bytes. Both ends keep one, told of what is sent and received.
public struct ExternalAccessorySessions: Equatable, Sendable {
    /// The most that are open at once: ours.
    public static let maximumCount = 64
    /// Bytes before an app's bytes in a packet. [2+] (WIO, NOC)
    public static let headerLength = 2

    /// An open session.
    public struct Session: Hashable, Sendable {
        /// The number of the session.
        public let id: UInt16
        /// The number of the protocol, as the unit's identification names it.
        public let protocolID: UInt8

        /// States a session.
        public init(id: UInt16, protocolID: UInt8) {
            self.id = id
            self.protocolID = protocolID
        }
    }

    /// What a message or packet was to the bookkeeping.
    public enum Change: Equatable, Sendable {
        /// It is none about sessions.
        case none
        case opened(Session)
        case closed(Session)
        /// Rule and reason: a number that is taken or not there, one too many, or a message that cannot be read.
        case refused(String)
    }

    /// What is open, oldest first.
    public private(set) var open: [Session] = []

    /// None is open.
    public init() {}

    /// Takes note of EA00, EA01 and EA03, whoever sent them.
    public mutating func note(_ message: ControlMessage) -> Change {
        if let start = try? StartExternalAccessorySession(message) {
            guard !open.contains(where: { $0.id == start.session }) else {
                return .refused("session \(start.session) is open already")
            }
            guard open.count < Self.maximumCount else {
                return .refused("\(Self.maximumCount) sessions are open, no more are taken")
            }
            let session = Session(id: start.session, protocolID: start.protocolID)
            open.append(session)
            return .opened(session)
        }
        if let stop = try? StopExternalAccessorySession(message) { return close(stop.session) }
        if let status = try? ExternalAccessorySessionStatus(message) {
            return status.status == .close ? close(status.session) : .none
        }
        switch message.id {
        case .startExternalAccessorySession, .stopExternalAccessorySession, .externalAccessorySessionStatus:
            return .refused("\(message.id) cannot be read")
        default: return .none
        }
    }

    private mutating func close(_ id: UInt16) -> Change {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return .refused("session \(id) is not open") }
        return .closed(open.remove(at: index))
    }

    /// An app's bytes as a payload of the channel; nil when no such session is open.
    public func payload(_ bytes: some Collection<UInt8>, session id: UInt16) -> [UInt8]? {
        guard open.contains(where: { $0.id == id }) else { return nil }
        return [UInt8(truncatingIfNeeded: id >> 8), UInt8(truncatingIfNeeded: id)] + bytes
    }

    /// Session and bytes of a payload of the channel; nil when it is too short or its session is not open.
    public func bytes(of payload: ArraySlice<UInt8>) -> (session: UInt16, bytes: ArraySlice<UInt8>)? {
        guard payload.count >= Self.headerLength else { return nil }
        let id = UInt16(payload[payload.startIndex]) << 8 | UInt16(payload[payload.startIndex + 1])
        guard open.contains(where: { $0.id == id }) else { return nil }
        return (id, payload.dropFirst(Self.headerLength))
    }
}

import WireBytes

/// The rules of the control session that a peer can break without ending it.
public enum ControlRule: String, Hashable, Sendable, CaseIterable {
    /// The message's number is not in the catalogue.
    case unknownMessage
    /// A parameter's number is not in the message's layout.
    case unknownParameter
    /// A parameter's value does not fit its type.
    case malformedParameter
    /// A parameter is there again that may be there once.
    case repeatedParameter
    /// Lengths of parameters do not add up; what follows cannot be read.
    case brokenParameters
    /// A message that only this side sends.
    case wrongSender
    /// A message that the unit's identification does not list for its sender.
    case notListed
    /// A message of the handshake that had its place earlier.
    case outOfPlace
    /// The challenge's length is not the one of the certificate's shape.
    case challengeLength
    /// The signature's length is not the one of the certificate's shape.
    case signatureLength
    /// The unit listed AE03 and did not send it before the session was offered.
    case powerNotTold
    /// A change of the identification that cannot be taken.
    case identificationUpdate
    /// Updates that nobody asked for, or a second start or stop.
    case subscription
    /// The control channel's bytes make no message.
    case brokenStream
    /// Something that is due did not come in time.
    case timeout
}

/// What is done about a broken rule.
public enum ControlReaction: String, Hashable, Sendable, CaseIterable {
    /// It is passed on as it is.
    case keep
    /// It has no effect.
    case drop
    /// The session ends.
    case close
}

/// A rule of the control session that was broken: which, where, by whom, and what is done about it.
public struct ControlIrregularity: Hashable, Sendable {
    /// The rule.
    public var rule: ControlRule
    /// The message in which it was broken, if it was in one.
    public var message: MessageID?
    /// The parameter in which it was broken, if it was in one.
    public var parameter: UInt16?
    /// The place: bytes from the start of the message; of the control stream for `brokenStream`. Nil when nothing came.
    public var offset: UInt64?
    /// Whose doing it was.
    public var fault: ControlFault
    /// What is done.
    public var reaction: ControlReaction
    /// What it was, for people.
    public var detail: String

    /// States an irregularity.
    public init(
        _ rule: ControlRule, message: MessageID?, parameter: UInt16? = nil, offset: UInt64? = nil,
        fault: ControlFault = .peer, reaction: ControlReaction, detail: String
    ) {
        self.rule = rule
        self.message = message
        self.parameter = parameter
        self.offset = offset
        self.fault = fault
        self.reaction = reaction
        self.detail = detail
    }

    /// One line for people: rule, where, what, reaction.
    public var description: String {
        let place = [message?.description, parameter.map { "parameter \($0)" }, offset.map { "offset \($0)" }]
        return
            "\(rule.rawValue) in \(place.compactMap(\.self).joined(separator: ", ")): \(detail) (\(reaction.rawValue))"
    }
}

extension ControlIrregularity: CustomStringConvertible {}

// MARK: - Looking at a message

extension ControlMessage {
    /// The most irregularities told of one message: ours; the rest would say nothing new.
    static let maximumIrregularities = 8

    /// Tells what the catalogue does not expect in the message. Nothing is allocated for a message without oddities.
    func inspect(sentBy sender: MessageID.Sender, into notices: inout [ControlNotice]) {
        guard let layout = MessageCatalogue.layout(of: id) else {
            notices.append(
                .irregularity(
                    ControlIrregularity(
                        .unknownMessage, message: id, offset: 4, reaction: .keep, detail: "no such message is known")))
            return
        }
        guard layout.sender == sender else {
            // A message of the handshake ends it, and the failure says so.
            guard !id.isFramework else { return }
            notices.append(
                .irregularity(
                    ControlIrregularity(
                        .wrongSender, message: id, offset: 4, reaction: .drop,
                        detail: "only the \(layout.sender.rawValue) sends it")))
            return
        }
        var room = Self.maximumIrregularities
        Self.inspect(parameters, layout.fields, in: id, depth: 1, room: &room, into: &notices)
    }

    private static func inspect(
        _ parameters: ControlParameters, _ layout: [MessageField], in id: MessageID, depth: Int, room: inout Int,
        into notices: inout [ControlNotice]
    ) {
        func tell(_ rule: ControlRule, _ parameter: UInt16?, _ offset: Int, _ detail: String) {
            guard room > 0 else { return }
            room -= 1
            notices.append(
                .irregularity(
                    ControlIrregularity(
                        rule, message: id, parameter: parameter, offset: UInt64(clamping: offset), reaction: .keep,
                        detail: detail)))
        }
        var reader = parameters.reader
        var last: UInt16?
        do throws(WireError) {
            while room > 0, let parameter = try reader.next() {
                guard let field = layout.field(parameter.id) else {
                    tell(.unknownParameter, parameter.id, parameter.offset, "\(parameter.value.count) bytes are kept")
                    continue
                }
                // Repeated ones lie side by side in what was seen; others are found when the message is read.
                if last == parameter.id, !field.isRepeated {
                    tell(.repeatedParameter, parameter.id, parameter.offset, "\(field.name) may be there once")
                }
                last = parameter.id
                if case .group(let fields) = field.type, depth < MessageCatalogue.maximumDepth {
                    inspect(parameter.group(), fields, in: id, depth: depth + 1, room: &room, into: &notices)
                } else if let problem = field.type.problem(parameter) {
                    tell(.malformedParameter, parameter.id, problem.offset, "\(field.name): \(problem)")
                }
            }
        } catch {
            tell(.brokenParameters, nil, error.offset, "\(error)")
        }
    }
}

extension FieldType {
    /// Why the parameter's value is none of this type; nil when it is one. Groups are looked into by the caller.
    func problem(_ parameter: ControlParameter) -> WireError? {
        do throws(WireError) {
            switch self {
            case .u8, .i8, .choice: _ = try parameter.integer(UInt8.self)
            case .u16, .i16: _ = try parameter.integer(UInt16.self)
            case .u32, .i32: _ = try parameter.integer(UInt32.self)
            case .u64, .i64: _ = try parameter.integer(UInt64.self)
            case .boolean: _ = try parameter.boolean()
            case .text: _ = try parameter.text(limit: MessageCatalogue.maximumTextLength)
            case .flag: try parameter.flag()
            case .numbers, .messageIDs:
                guard parameter.value.count.isMultiple(of: 2) else { _ = try parameter.integers(); return nil }
            case .bytes, .group: break
            }
            return nil
        } catch {
            return error
        }
    }
}

import RigCore
public import RigModel
public import VarlinkProtocol

extension JSONWriter: RecordSink {}

/// The bytes of replies, as they go onto a socket.
enum ReplyRendering {
    /// The key under which a reply may carry more than its interface says (Varlink: reverse-domain names only).
    static let vendorKey = "org.dashrig"

    /// A reply with these parameters.
    static func append(_ parameters: RecordValue, continues: Bool, to bytes: inout [UInt8]) {
        VarlinkReply.write(into: &bytes, continues: continues) { $0.record(parameters) }
    }

    /// The reply of a stream that tells one event.
    static func append(_ event: Event, to bytes: inout [UInt8]) {
        VarlinkReply.write(into: &bytes, continues: true) { writer in
            writer.beginObject()
            writer.key("event")
            event.write(into: &writer)
            writer.endObject()
        }
    }

    /// The reply of a capture that tells one record.
    static func append(_ record: CapturedRecord, to bytes: inout [UInt8]) {
        append(.record([RecordField("record", record.record)]), continues: true, to: &bytes)
    }

    /// The reply of a capture that tells of records that were dropped.
    static func append(_ loss: CaptureLoss, to bytes: inout [UInt8]) {
        let record = RecordValue.record([
            RecordField("time", .number(loss.time)), RecordField("kind", .string("lost")),
            RecordField("dropped", .number(loss.records)), RecordField("droppedBytes", .number(loss.bytes)),
        ])
        append(.record([RecordField("record", record)]), continues: true, to: &bytes)
    }

    /// An error, with what happened and what to do as text beside the fields that its interface declares.
    static func append(error: String, _ parameters: RecordValue, text: String, to bytes: inout [UInt8]) {
        JSONWriter.append(to: &bytes) { writer in
            writer.beginObject()
            writer.member("error", error)
            writer.key("parameters")
            writer.record(parameters)
            writer.key(vendorKey)
            writer.beginObject()
            writer.member("text", text)
            writer.endObject()
            writer.endObject()
        }
        bytes.append(0)
    }

    /// A standard error that the service directory answered, with its text.
    static func append(_ error: StandardError, _ reply: VarlinkReply, text: String, to bytes: inout [UInt8]) {
        let fields = reply.parameters.members.map { RecordField($0.key, .text($0.value.stringValue)) }
        append(error: error.name, .record(fields), text: text, to: &bytes)
    }

    /// Why the rig did not do what a client asked, in the words of the client's interface.
    static func append(_ failure: CommandFailure, interface: String, to bytes: inout [UInt8]) {
        let standard = "org.varlink.service"
        let error: String
        let fields: [RecordField]
        switch failure {
        case .unknownDevice(let name, let known):
            error = "\(interface).UnknownDevice"
            fields = [RecordField("id", .string(name)), RecordField("known", .array(known.map { .string($0) }))]
        case .unknownApp:
            error = "\(interface).UnknownApp"
            fields = []
        case .staleDevice(let name, let generation):
            error = "\(interface).StaleDevice"
            fields = [RecordField("id", .string(name)), RecordField("generation", .number(generation))]
        case .invalidParameter(let field, _):
            error = "\(standard).InvalidParameter"
            fields = [RecordField("parameter", .string(field))]
        case .notPermitted(let text):
            error = "\(interface).NotPermitted"
            fields = [RecordField("text", .string(text))]
        case .limitReached(let limit, let value):
            error = "\(interface).LimitReached"
            fields = [RecordField("limit", .string(limit)), RecordField("value", .number(value))]
        case .busy(let owner, let since):
            error = "\(interface).Busy"
            fields = [RecordField("owner", .string(owner)), RecordField("since", .number(since))]
        case .deviceRefused(let reason):
            error = "\(interface).DeviceRefused"
            fields = [RecordField("code", .string(reason.code)), RecordField("text", .string(reason.text))]
        case .methodNotImplemented(let method):
            error = "\(standard).MethodNotImplemented"
            fields = [RecordField("method", .string(method))]
        }
        append(error: error, .record(fields), text: failure.text, to: &bytes)
    }
}

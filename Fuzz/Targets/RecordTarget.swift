import VarlinkProtocol

/// A client's or a server's byte stream: cut into records in any way it gives the same records, and every record is a
/// call that is routed through both real interfaces, a reply, or refused in the documented way.
///
/// Input: one byte for the limit, three for the cuts, then the stream.
enum RecordTarget {
    private static let limits = [4, 16, 64, 1_024, 65_536]

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        let limit = input.pick(limits)
        let cuts = FuzzCuts(&input)
        let stream = input.rest()
        let whole = try read([stream], limit: limit)
        let cut = try read(cuts.chunks(stream), limit: limit)
        try require(cut == whole, "cut in another way the stream has other records: \(cut) against \(whole)")
        try require(whole == reference(stream, limit: limit), "the records are not those between the NULs")
        for record in whole.records {
            try checkCall(record[...])
            try checkReply(record[...])
        }
        try checkClient(stream, cuts, limit: limit)
    }

    // MARK: Records

    private struct Records: Equatable {
        var records: [[UInt8]] = []
        var failure: RecordError?
        var ending: RecordError?
    }

    private static func read(_ chunks: [ArraySlice<UInt8>], limit: Int) throws(FuzzFinding) -> Records {
        var reader = RecordReader(maximumRecordSize: limit)
        var found = Records()
        for chunk in chunks {
            reader.append(chunk)
            do throws(RecordError) {
                while let record = try reader.next() { found.records.append(Array(record)) }
            } catch {
                try require(found.failure ?? error == error, "\(error) after \(String(describing: found.failure))")
                found.failure = error
            }
            let held = reader.bufferedByteCount
            try require(held <= limit, "\(held) bytes are held, at most \(limit) may be")
        }
        do throws(RecordError) {
            try reader.finish()
        } catch {
            found.ending = error
        }
        return found
    }

    /// The same by another way: the bytes between NULs, up to the first fault.
    private static func reference(_ stream: ArraySlice<UInt8>, limit: Int) -> Records {
        var found = Records()
        let parts = stream.split(separator: 0, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let isEnded = index < parts.count - 1
            if part.count > limit {
                found.failure = .tooLarge(limit: limit)
            } else if part.isEmpty && isEnded {
                found.failure = .empty
            } else if isEnded {
                found.records.append(Array(part))
                continue
            } else if !part.isEmpty {
                found.ending = .truncated(byteCount: part.count)
            }
            break
        }
        if let failure = found.failure { found.ending = failure }
        return found
    }

    // MARK: Calls and replies

    private static func checkCall(_ record: ArraySlice<UInt8>) throws(FuzzFinding) {
        switch VarlinkCall.read(record) {
        case .refused(let error, let answer):
            try require(!error.description.isEmpty, "a refusal without text")
            if case .reply(let reply) = answer { try check(reply, "the answer to \(error)") }
        case .call(let call):
            var bytes: [UInt8] = []
            call.write(into: &bytes)
            try require(
                bytes.last == 0 && !bytes.dropLast().contains(0), "a written call is not one record: \(bytes)")
            try require(VarlinkCall.read(bytes.dropLast()) == .call(call), "a written call reads as another: \(call)")
            try check(directory.route(call), of: call)
        }
    }

    private static func check(_ route: ServiceDirectory.Route, of call: VarlinkCall) throws(FuzzFinding) {
        let service = "org.varlink.service"
        switch route {
        case .dispatch(let routed):
            try require(
                "\(routed.interface).\(routed.method)" == call.method && routed.parameters == call.parameters
                    && routed.more == call.more && routed.oneway == call.oneway && !call.upgrade,
                "\(call) became \(routed)")
            try require(routed.interface != service, "\(call.method) is not for others to answer")
        case .answered(let reply):
            try require(!call.oneway && reply.error == nil, "\(call) is answered with \(reply)")
            try check(reply, "the answer to \(call.method)")
            let method = String(call.method.dropFirst(service.utf8.count + 1))
            try fits(reply, "the answer to \(call.method)") { description throws(FieldError) in
                try description.validate(reply: reply.parameters, ofMethod: method)
            }
        case .refused(let refusal):
            try require((refusal.reply == nil) == call.oneway, "a refusal has a reply it should not have, or none")
            try require(!refusal.description.isEmpty, "a refusal without text")
            guard let reply = refusal.reply else { return }
            try check(reply, "the refusal of \(call.method)")
            try fits(reply, "the refusal of \(call.method)") { description throws(FieldError) in
                let error = String((reply.error ?? "").dropFirst(service.utf8.count + 1))
                try description.validate(error: error, parameters: reply.parameters)
            }
        case .ignored:
            try require(call.oneway, "a call that wants a reply gets none")
        }
    }

    /// Checks a reply of `org.varlink.service` against the interface.
    private static func fits(
        _ reply: VarlinkReply, _ what: String, _ validate: (InterfaceDescription) throws(FieldError) -> Void
    ) throws(FuzzFinding) {
        do throws(FieldError) {
            try validate(directory.interfaces[0])
        } catch {
            throw FuzzFinding("\(what) does not fit the interface: \(error)")
        }
    }

    private static func checkReply(_ record: ArraySlice<UInt8>) throws(FuzzFinding) {
        switch Result(catching: { () throws(ReplyError) in try VarlinkReply(parsing: record) }) {
        case .success(let reply): try check(reply, "a reply")
        case .failure(let error): try require(!error.description.isEmpty, "a reply is refused without text")
        }
    }

    private static func check(_ reply: VarlinkReply, _ what: String) throws(FuzzFinding) {
        var bytes: [UInt8] = []
        reply.write(into: &bytes)
        try require(bytes.last == 0 && !bytes.dropLast().contains(0), "\(what) is not one record")
        switch Result(catching: { () throws(ReplyError) in try VarlinkReply(parsing: bytes.dropLast()) }) {
        case .success(let again): try require(again == reply, "\(what) reads as another: \(reply), \(again)")
        case .failure(let error): throw FuzzFinding("\(what) cannot be read: \(error)")
        }
    }

    // MARK: The client's end

    private static func checkClient(
        _ stream: ArraySlice<UInt8>, _ cuts: FuzzCuts, limit: Int
    ) throws(FuzzFinding) {
        let whole = try events([stream], limit: limit)
        let cut = try events(cuts.chunks(stream), limit: limit)
        try require(cut == whole, "cut in another way a client is told something else: \(cut) against \(whole)")
        let endings = whole.count { if case .ended = $0 { true } else { false } }
        try require(endings == 1, "a connection ended \(endings) times")
        if case .ended? = whole.last { return }
        throw FuzzFinding("the end of a connection is not the last that is told: \(whole)")
    }

    /// What a client is told that has sent four calls: one with a single reply, a stream, one without a reply, one more.
    private static func events(
        _ chunks: [ArraySlice<UInt8>], limit: Int
    ) throws(FuzzFinding) -> [VarlinkClientConnection.Event] {
        var connection = VarlinkClientConnection(maximumReplySize: limit)
        var output: [UInt8] = []
        do throws(VarlinkClientConnection.SendError) {
            _ = try connection.send(VarlinkCall(method: "org.dashrig.Rig.GetState"), into: &output)
            _ = try connection.send(VarlinkCall(method: "org.dashrig.Rig.Subscribe", more: true), into: &output)
            _ = try connection.send(VarlinkCall(method: "org.dashrig.Rig.Mark", oneway: true), into: &output)
            _ = try connection.send(VarlinkCall(method: "org.dashrig.Rig.GetState"), into: &output)
        } catch {
            throw FuzzFinding("a new connection takes no call: \(error)")
        }
        var events: [VarlinkClientConnection.Event] = []
        for chunk in chunks { connection.receive(chunk, into: &events) }
        connection.streamEnded(into: &events)
        try require(connection.pendingCount == 0, "\(connection.pendingCount) calls wait on a closed connection")
        return events
    }

    // MARK: Both real interfaces

    private static let directory: ServiceDirectory = {
        do throws(InterfaceError) {
            return try ServiceDirectory(
                vendor: "Dashrig", product: "fuzz", version: "0", url: "https://example.org/",
                interfaces: try ["org.dashrig.Rig", "org.dashrig.App"].map { name throws(InterfaceError) in
                    try InterfaceDescription(parsing: FixtureFile.text("interfaces/\(name).varlink"))
                },
                methodsNeedingMore: ["org.dashrig.Rig.Subscribe", "org.dashrig.Rig.Run", "org.dashrig.App.Launch"])
        } catch {
            preconditionFailure("the interfaces do not parse: \(error)")
        }
    }()
}

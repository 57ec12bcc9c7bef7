import ControlProtocol
import RigModel
import Testing

@testable import RigCore

@Suite struct MessageTests {
    private static func object(_ fields: (String, RecordValue)...) -> RecordValue {
        .object(fields.map { RecordField($0.0, $0.1) })
    }

    private static func layout(_ name: String) throws -> [MessageField] {
        let id = try #require(MessageCatalogue.id(named: name))
        return try #require(MessageCatalogue.layout(of: id)).fields
    }

    @Test func aPhoneTellsWhatIsPlayingAndTheRigSeesIt() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let group = try #require(try Self.layout("NowPlayingUpdate").first)
        guard case .group(let fields) = group.type, let title = fields.first(where: { $0.type == .text }) else {
            Issue.record("no text in \(group)")
            return
        }
        let content = Self.object((group.name, Self.object((title.name, .string("Song")))))
        let before = bench.events.count
        let answer = bench.command(
            .send(SendRequest(device: "phone", message: "NowPlayingUpdate", fields: content)))
        #expect(throws: Never.self) { try answer?.get() }
        let told = bench.events[before...].filter { $0.kind == .messageReceived }
        #expect(told.count == 1)
        let record = try #require(told.first?.record)
        #expect(record.value(at: "message.name")?.text == "NowPlayingUpdate")
        #expect(record.value(at: "message.sender")?.text == "phone")
        #expect(record.value(at: "message.fields.\(group.name).\(title.name)")?.text == "Song")
        #expect(told.first?.session != nil && told.first?.device?.name == "phone")
    }

    @Test func theRigSendsAndSaysSo() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let before = bench.events.count
        let answer = bench.command(.send(SendRequest(device: "phone", message: "StartNowPlayingUpdates")))
        #expect(throws: Never.self) { try answer?.get() }
        #expect(bench.events[before...].map(\.kind) == [.messageSent])
    }

    @Test func aHeadUnitSendsToTheRigThatPlaysThePhone() throws {
        var bench = Bench()
        bench.plug("head-unit", "car")
        let before = bench.events.count
        bench.command(.send(SendRequest(device: "car", message: "StartVehicleStatusUpdates", sender: .phone)))
        bench.command(.send(SendRequest(device: "car", message: "VehicleStatusUpdate")))
        bench.command(
            .send(
                SendRequest(
                    device: "car", message: "DeviceLanguageUpdate",
                    fields: Self.object(("language", .string("de"))))))
        #expect(bench.events[before...].map(\.kind) == [.messageSent, .messageReceived, .messageSent])
    }

    @Test func anUpdateThatNobodyAskedForIsToldAndPassedOn() throws {
        var bench = Bench()
        bench.plug("head-unit", "car")
        let before = bench.events.count
        bench.command(.send(SendRequest(device: "car", message: "VehicleStatusUpdate")))
        #expect(bench.events[before...].map(\.kind) == [.linkIrregularity, .messageReceived])
        guard case .irregularity(let what) = bench.events[before].payload else { return }
        #expect(what.rule == "subscription" && what.reaction == "keep" && what.party == .peer)
    }

    @Test func anUnknownNumberGoesWithRawBytesAndASender() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let before = bench.events.count
        let raw = SendRequest(
            device: "phone", message: "0x7777", fields: Self.object(("3", .string("00ff"))), sender: .phone)
        let answer = bench.command(.send(raw))
        #expect(throws: Never.self) { try answer?.get() }
        let told = bench.events[before...]
        let message = try #require(told.first { $0.kind == .messageReceived })
        #expect(message.record.value(at: "message.name")?.text == "0x7777")
        #expect(message.record.value(at: "message.fields.3")?.text == "00ff")
        let odd = try #require(told.first { $0.kind == .linkIrregularity })
        #expect(odd.record.value(at: "irregularity.rule")?.text == "unknownMessage")
        #expect(odd.record.value(at: "irregularity.layer")?.text == "control")
        #expect(bench.phase() == "active")
    }

    @Test func anUnknownNumberWithoutASenderIsRefusedByName() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let before = bench.events.count
        let answer = bench.command(.send(SendRequest(device: "phone", message: "0x7777")))
        guard case .failure(.invalidParameter("sender", let why))? = answer else {
            Issue.record("it was taken: \(String(describing: answer))")
            return
        }
        #expect(why.contains("0x7777") && why.contains("phone or headUnit"))
        #expect(bench.events.count == before)
    }

    @Test(arguments: [
        ("NowPlayingUpdat", RecordValue.object([]), "message", "did you mean 'NowPlayingUpdate'"),
        ("DeviceLanguageUpdate", .object([RecordField("langage", .string("de"))]), "fields", "langage"),
        ("DeviceLanguageUpdate", .object([RecordField("language", .int(3))]), "fields", "language"),
        ("DeviceLanguageUpdate", .array([]), "fields", "object"),
    ])
    func whatIsWrongIsNamed(message: String, fields: RecordValue, field: String, text: String) {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let answer = bench.command(.send(SendRequest(device: "phone", message: message, fields: fields)))
        guard case .failure(.invalidParameter(let found, let why))? = answer else {
            Issue.record("it was taken: \(String(describing: answer))")
            return
        }
        #expect(found == field && why.contains(text), "\(found): \(why)")
    }

    private static func identifier(_ value: RecordValue) -> SendRequest {
        SendRequest(
            device: "phone", message: "NowPlayingUpdate",
            fields: object(("mediaItem", object(("identifier", value)))))
    }

    /// Varlink's whole numbers end at 2^63 - 1, a u64's do not: text carries them in both directions.
    @Test(arguments: [
        (RecordValue.string("18446744073709551615"), RecordValue.string("18446744073709551615")),
        (.string("9223372036854775808"), .string("9223372036854775808")),
        (.string("9223372036854775807"), .int(.max)), (.int(.max), .int(.max)), (.double(1e3), .int(1_000)),
        (.double(1.0), .int(1)), (.double(9_007_199_254_740_992), .int(1 << 53)),
    ])
    func everyWholeNumberCanBeSaid(written: RecordValue, told: RecordValue) throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        let answer = bench.command(.send(Self.identifier(written)))
        #expect(throws: Never.self) { try answer?.get() }
        let event = try #require(bench.events.last { $0.kind == .messageReceived })
        #expect(event.record.value(at: "message.fields.mediaItem.identifier") == told)
    }

    @Test(arguments: [
        (RecordValue.double(1.5), "the fraction 1.5"), (.double(18_446_744_073_709_551_616), "in quotes"),
        (.double(-1), "-1 where"), (.int(-1), "-1 where"), (.double(1e300), "1e+300"),
        (.string("18446744073709551616"), "\"18446744073709551616\" where"), (.array([.null]), "identifier"),
    ])
    func aNumberThatDoesNotFitIsNamedWithItsFieldAndTheRange(value: RecordValue, text: String) {
        var bench = Bench()
        bench.plug("iphone", "phone")
        guard case .failure(.invalidParameter("fields", let why))? = bench.command(.send(Self.identifier(value))) else {
            Issue.record("it was taken")
            return
        }
        #expect(why.contains("NowPlayingUpdate.mediaItem.identifier") && why.contains(text), "\(why)")
        if value != .array([.null]) { #expect(why.contains("0...18446744073709551615"), "\(why)") }
    }

    @Test func groupsInsideGroupsWithoutEndAreRefused() {
        var bench = Bench()
        bench.plug("iphone", "phone")
        var fields = RecordValue.object([])
        for _ in 0..<100 { fields = .object([RecordField("1", fields)]) }
        let answer = bench.command(.send(SendRequest(device: "phone", message: "0x7777", fields: fields)))
        guard case .failure(.invalidParameter("fields", _))? = answer else {
            Issue.record("it was taken")
            return
        }
    }

    @Test func theHandshakesOwnMessagesAndSessionsThatAreNotActiveAreRefused() {
        var bench = Bench()
        bench.plug("iphone", "phone", phone: PhoneConditions(locked: true))
        guard
            case .failure(.invalidParameter("device", _))? = bench.command(
                .send(SendRequest(device: "phone", message: "StartNowPlayingUpdates")))
        else {
            Issue.record("a waiting session takes messages")
            return
        }
        guard
            case .failure(.notPermitted)? = bench.command(
                .send(SendRequest(device: "phone", message: "AuthenticationSucceeded")))
        else {
            Issue.record("a message of the handshake is taken")
            return
        }
    }

    @Test func aDeviceOnItsOwnWireCannotBeMadeToSend() {
        var pair = WiredPair()
        pair.plug()
        let answer = pair.headUnit.command(
            .send(SendRequest(device: "iphone-1", message: "NowPlayingUpdate")))
        guard case .failure(.notPermitted(let text))? = answer else {
            Issue.record("it was taken: \(String(describing: answer))")
            return
        }
        #expect(text.contains("its own wire"))
        let before = pair.phone.events.count
        pair.headUnit.command(.send(SendRequest(device: "iphone-1", message: "StartNowPlayingUpdates")))
        pair.settle()
        #expect(pair.phone.events[before...].map(\.kind) == [.messageReceived])
        #expect(pair.phone.events.last?.origin == .observed)
    }

    @Test func anAppSendsOnTheSessionThatItBelongsTo() {
        var bench = Bench()
        let app = bench.launch("demo", token: "secret")
        let stranger = bench.connect()
        bench.handle(.clientCalled(stranger, .appSend(token: "no", message: "StartCallStateUpdates", fields: .null)))
        #expect(bench.failures[stranger] == [.unknownApp])
        let early = bench.connect()
        bench.handle(
            .clientCalled(early, .appSend(token: "secret", message: "StartCallStateUpdates", fields: .null)))
        guard case .invalidParameter("app", _)? = bench.failures[early]?.first else {
            Issue.record("an app without a session sends")
            return
        }
        bench.plug("iphone", "phone")
        let caller = bench.connect()
        bench.handle(
            .clientCalled(caller, .appSend(token: "secret", message: "StartCallStateUpdates", fields: .null)))
        #expect(bench.failures[caller] == nil)
        let before = bench.events.count
        bench.handle(.clientCalled(caller, .appSend(token: "secret", message: "0x7777", fields: .null)))
        #expect(bench.failures[caller] == nil)
        let unknown = bench.events[before...].map(\.kind)
        #expect(unknown == [.messageSent, .linkIrregularity], "it speaks for the rig where nobody is known to")
        let told = bench.streams[app]?.suffix(3).map(\.kind)
        #expect(told == [.messageSent] + unknown, "the app is told of its session's messages")
    }

    /// Irregularities of a peer that sends nothing but damage are counted and held back.
    @Test func aFloodOfDamageIsHeldBack() throws {
        var pair = WiredPair()
        pair.plug()
        let link = try #require(pair.links[0])
        let before = pair.headUnit.events.count
        // Three bytes of garbage before the detection bytes, which end the run.
        let damage: [UInt8] = [0x00, 0x01, 0x02, 0xFF, 0x55, 0x02, 0x00, 0xEE, 0x10]
        for _ in 0..<1_000 { pair.headUnit.handle(.wireReceived(link, damage)) }
        let told = pair.headUnit.events[before...].filter { $0.kind == .linkIrregularity }
        #expect(told.count == Int(PublishingBudget.burst))
        pair.headUnit.now += Bench.second
        pair.headUnit.handle(.wireReceived(link, damage))
        let suppressed = pair.headUnit.events.compactMap { $0.record.value(at: "irregularity.suppressed")?.int }
        #expect(suppressed.contains { $0 > 900 }, "what was held back is told: \(suppressed)")
    }
}

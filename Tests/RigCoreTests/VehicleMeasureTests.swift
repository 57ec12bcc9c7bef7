import RigConfiguration
import RigModel
import Testing

@testable import RigCore

/// What a vehicle measures, as it is set, published and played.
@Suite struct VehicleMeasureTests {
    static func change(_ words: (String, String)...) throws -> VehicleChange {
        var all = VehicleWords()
        for (key, value) in words { try all.set(key, to: value) }
        return VehicleChange(measures: try all.change())
    }

    /// What each `vehicle.changed` named, in order.
    static func changed(_ events: some Sequence<Event>) -> [[VehicleField]] {
        events.compactMap { if case .vehicle(_, let changed, _) = $0.payload { changed } else { nil } }
    }

    static let measures: [(key: String, value: String, field: VehicleField, path: String, published: RecordValue)] = [
        ("speed", "36km/h", .speed, "speed", .double(10)), ("gear", "drive", .gear, "gear", .string("drive")),
        ("parking-brake", "off", .parkingBrake, "parkingBrake", .bool(false)),
        ("ambient-light", "0lx", .ambientLight, "ambientLight", .double(0)),
        ("location", "48.1372,-11.5", .location, "location.longitude", .double(-11.5)),
        ("battery", "80.5%", .battery, "battery", .double(80.5)), ("fuel", "0%", .fuel, "fuel", .double(0)),
        ("range", "120km", .range, "range", .double(120)), ("range-low", "on", .rangeLow, "rangeLow", .bool(true)),
    ]

    @Test(arguments: measures.indices) func eachIsPublishedWithARevisionAndForgottenAgain(_ index: Int) throws {
        let (key, value, field, path, published) = Self.measures[index]
        var bench = Bench()
        #expect(bench.state().value(at: "vehicle.revision") == .int(1))
        #expect(bench.state().value(at: "vehicle.\(path)") == nil, "nothing is known, and nothing is made up")
        let answer = bench.command(.setVehicle(try Self.change((key, value))))
        #expect(try answer?.get().value(at: "vehicle.\(path)") == published)
        #expect(bench.state().value(at: "vehicle.\(path)") == published)
        let event = try #require(bench.events.last)
        #expect(event.kind == .vehicleChanged && event.record.value(at: "changed") == .array([.string(field.rawValue)]))
        #expect(event.record.value(at: "vehicle.revision") == .int(2))
        // The same again is no change.
        let before = bench.events.count
        bench.command(.setVehicle(try Self.change((key, value))))
        #expect(bench.events.count == before)
        bench.command(.setVehicle(try Self.change((key, "unknown"))))
        #expect(bench.state().value(at: "vehicle.\(path)") == nil)
        #expect(bench.state().value(at: "vehicle.revision") == .int(3))
    }

    @Test func severalAreOneChange() throws {
        var bench = Bench()
        let before = bench.events.count
        var change = try Self.change(("fuel", "5%"), ("speed", "1m/s"))
        change.driverSide = .right
        bench.command(.setVehicle(change))
        #expect(Self.changed(bench.events[before...]) == [[.driverSide, .speed, .fuel]])
    }

    @Test func whatCannotBeIsRefusedAndChangesNothing() {
        var bench = Bench()
        let before = bench.state()
        var change = VehicleChange(appearance: .dark)
        change.measures.battery = 10_001
        #expect(
            bench.failure(of: .setVehicle(change))
                == .invalidParameter("battery", text: "100.01% is not between 0 and 100 %"))
        change = VehicleChange(limitLists: true, automatic: [.lists])
        #expect(
            bench.failure(of: .setVehicle(change))
                == .invalidParameter("automatic", text: "'lists' is set in the same call; do one of both"))
        #expect(bench.state().value(at: "vehicle") == before.value(at: "vehicle"))
    }

    // MARK: Tracks

    private static func track(_ text: String) throws -> VehicleChange {
        VehicleChange(track: .play(try VehicleTrack(parsing: text)))
    }

    @Test func aTrackIsPlayedPointByPointAtItsTimes() throws {
        var bench = Bench()
        bench.pass(7 * Bench.second)
        let start = bench.now
        let before = bench.events.count
        bench.command(.setVehicle(try Self.track("time,speed,gear\n0.25,1,drive\n1,2,\n1.5,,\n2,unknown,park\n")))
        #expect(bench.state().value(at: "vehicle.track.point") == .int(0))
        bench.pass(10 * Bench.second)
        let events = bench.events[before...].filter { $0.kind == .vehicleChanged }
        #expect(events.map { $0.time - start } == [0, 250, 1_000, 1_500, 2_000].map { $0 * Bench.millisecond })
        #expect(
            Self.changed(events) == [
                [.track], [.speed, .gear, .track], [.speed, .track], [.track], [.speed, .gear, .track],
            ])
        #expect(events.map { $0.record.value(at: "vehicle.track.point") } == [.int(0), .int(1), .int(2), .int(3), nil])
        #expect(events.map { $0.record.value(at: "vehicle.revision") } == (2...6).map { .int($0) })
        #expect(bench.state().value(at: "vehicle.gear")?.text == "park")
        #expect(bench.state().value(at: "vehicle.speed") == nil && bench.state().value(at: "vehicle.track") == nil)
        #expect(bench.core.nextDeadline == nil)
    }

    @Test func aTrackTakesThePlaceOfAnotherAndCanBeStopped() throws {
        var bench = Bench()
        bench.command(.setVehicle(try Self.track("time,fuel\n1,10\n2,20\n")))
        bench.pass(1_500 * Bench.millisecond)
        bench.command(.setVehicle(try Self.track("time,fuel\n1,30\n2,40\n")))
        bench.pass(800 * Bench.millisecond)
        #expect(bench.state().value(at: "vehicle.fuel") == .double(10), "the first one's second point never comes")
        bench.pass(300 * Bench.millisecond)
        #expect(bench.state().value(at: "vehicle.fuel") == .double(30))
        bench.command(.setVehicle(VehicleChange(track: .stop)))
        #expect(bench.events.last?.record.value(at: "changed") == .array([.string("track")]))
        #expect(bench.core.nextDeadline == nil)
        let count = bench.events.count
        bench.pass(5 * Bench.second)
        bench.command(.setVehicle(VehicleChange(track: .stop)))
        #expect(bench.events.count == count)
        #expect(bench.state().value(at: "vehicle.fuel") == .double(30))
    }

    @Test func aRigThatWakesLateSkipsNoPoint() throws {
        var bench = Bench()
        let before = bench.events.count
        bench.command(.setVehicle(try Self.track("time,fuel\n0,1\n1,2\n2,3\n")))
        bench.now += 5 * Bench.second
        bench.handle(.deadlineReached)
        let fuels = bench.events[before...].map { $0.record.value(at: "vehicle.fuel") }
        #expect(fuels.suffix(3) == [.double(1), .double(2), .double(3)])
    }

    @Test func aScenarioPlaysATrackThatCameAlong() throws {
        var bench = Bench()
        let client = bench.connect()
        let file = TrackFile(name: "a.csv", text: "time,speed\n0.1,1\n0.2,2\n")
        let text = "vehicle track a.csv\nexpect vehicle changed where vehicle.speed = 2 within 1s\n"
        bench.handle(.clientCalled(client, .run(name: "t", text: text, tracks: [file])))
        bench.pass(2 * Bench.second)
        #expect(bench.replies[client]?.last?.value(at: "verdict.outcome")?.text == "passed")
        let other = bench.connect()
        bench.handle(.clientCalled(other, .run(name: "t", text: text)))
        #expect("\(bench.replies[other] ?? [])".contains("is not here; "))
    }

    // MARK: Phones

    private static func told(_ events: some Sequence<Event>) -> [RecordValue] {
        events.filter { $0.kind == .messageSent }.map(\.record)
    }

    @Test func aPhoneThatAskedIsToldRangeAndWarning() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.plug("iphone", "other")
        bench.command(.setVehicle(try Self.change(("range", "120.9km"))))
        #expect(Self.told(bench.events).isEmpty, "nobody asked")
        bench.command(.send(SendRequest(device: "phone", message: "StartVehicleStatusUpdates")))
        bench.command(.setVehicle(try Self.change(("range-low", "on"))))
        bench.command(.setVehicle(try Self.change(("fuel", "1%"))))
        bench.command(.send(SendRequest(device: "phone", message: "StopVehicleStatusUpdates")))
        bench.command(.setVehicle(try Self.change(("range-low", "off"))))
        let told = Self.told(bench.events)
        #expect(told.map { $0.value(at: "message.name")?.text } == ["VehicleStatusUpdate", "VehicleStatusUpdate"])
        #expect(told.map { $0.value(at: "device")?.text } == ["phone", "phone"])
        #expect(told.first?.value(at: "message.fields.range") == .int(120))
        #expect(told.first?.value(at: "message.fields.isRangeLow") == nil, "not known yet")
        #expect(told.last?.value(at: "message.fields.isRangeLow") == .bool(true))
        #expect(!bench.events.contains { $0.kind == .linkIrregularity })
    }

    @Test func aPhoneThatAskedIsToldThePlace() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.command(.send(SendRequest(device: "phone", message: "StartLocationInformation")))
        #expect(Self.told(bench.events).isEmpty, "the place is not known")
        bench.pass(3_661 * Bench.second - bench.now)
        bench.command(
            .setVehicle(try Self.change(("location", "48.1372,-11.5756"), ("altitude", "520.5m"), ("heading", "90"))))
        bench.command(.setVehicle(try Self.change(("speed", "10m/s"))))
        let sentences = Self.told(bench.events).compactMap { $0.value(at: "message.fields.sentences")?.text }
        #expect(
            sentences == [
                "$GPGGA,010101.00,4808.23200,N,01134.53600,W,1,,,520.50,M,,,,*30\r\n"
                    + "$GPRMC,010101.00,A,4808.23200,N,01134.53600,W,,90.00,010170,,,A*6D\r\n",
                "$GPGGA,010101.00,4808.23200,N,01134.53600,W,1,,,520.50,M,,,,*30\r\n"
                    + "$GPRMC,010101.00,A,4808.23200,N,01134.53600,W,19.43,90.00,010170,,,A*4C\r\n",
            ])
    }

    @Test func aPhoneThatTakesNothingDoesNotEndTheSession() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.command(.send(SendRequest(device: "phone", message: "StartLocationInformation")))
        bench.command(.setFault(FaultRequest(.stall, device: "phone", direction: .toDevice)))
        for step in 0..<400 { bench.command(.setVehicle(try Self.change(("location", "48,\(Double(step) / 1_000)")))) }
        let told = bench.events(.linkIrregularity).compactMap { $0.record.value(at: "irregularity.rule")?.text }
        #expect(told == ["vehicleBacklog"], "once until there is room")
        #expect(Self.told(bench.events).count < 250)
        #expect(bench.phase() == "active")
        #expect(bench.state().value(at: "vehicle.location.longitude") == .double(0.399))
    }

    /// The newest of each update reaches the phone when there is room, and nothing that was over by then.
    @Test func whatFoundNoRoomIsToldWhenThereIsSome() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        for message in ["StartLocationInformation", "StartVehicleStatusUpdates"] {
            bench.command(.send(SendRequest(device: "phone", message: message)))
        }
        bench.command(.setFault(FaultRequest(.stall, device: "phone", direction: .toDevice)))
        for step in 0..<400 { bench.command(.setVehicle(try Self.change(("location", "48,\(Double(step) / 1_000)")))) }
        for range in ["50km", "40km"] { bench.command(.setVehicle(try Self.change(("range", range)))) }
        let stalled = bench.events.count
        bench.command(.setVehicle(try Self.change(("location", "48,0.4"))))
        #expect(Self.told(bench.events.dropFirst(stalled)).isEmpty, "there is no room")
        bench.command(.clearFaults(.all))
        bench.pass(5 * Bench.second)
        let told = Self.told(bench.events.dropFirst(stalled))
        #expect(told.count == 2, "each of them once")
        #expect(told.compactMap { $0.value(at: "message.fields.range") } == [.int(40)])
        let sentences = told.compactMap { $0.value(at: "message.fields.sentences")?.text }
        #expect(sentences.count == 1 && sentences.allSatisfy { $0.contains(",00024.00000,E,") })
        #expect(bench.phase() == "active")
        let count = bench.events.count
        bench.command(.setVehicle(try Self.change(("range", "30km"))))
        #expect(Self.told(bench.events.dropFirst(count)).count == 1, "and then as ever")
    }

    @Test func whatIsOwedIsNotToldToWhomWantsNoMoreOfIt() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.command(.send(SendRequest(device: "phone", message: "StartLocationInformation")))
        bench.command(.setFault(FaultRequest(.stall, device: "phone", direction: .toDevice)))
        for step in 0..<400 { bench.command(.setVehicle(try Self.change(("location", "48,\(Double(step) / 1_000)")))) }
        bench.command(.send(SendRequest(device: "phone", message: "StopLocationInformation")))
        let stopped = bench.events.count
        bench.command(.clearFaults(.all))
        bench.pass(5 * Bench.second)
        #expect(Self.told(bench.events.dropFirst(stopped)).isEmpty)
    }

    @Test func aPlaceThatIsLostIsAPlaceWithoutAFix() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.command(.send(SendRequest(device: "phone", message: "StartLocationInformation")))
        bench.pass(3_661 * Bench.second - bench.now)
        bench.command(.setVehicle(try Self.change(("location", "48.1372,-11.5756"), ("speed", "10m/s"))))
        let before = bench.events.count
        bench.command(.setVehicle(try Self.change(("location", "unknown"))))
        bench.command(.setVehicle(try Self.change(("speed", "20m/s"))))
        let sentences = Self.told(bench.events.dropFirst(before)).compactMap {
            $0.value(at: "message.fields.sentences")?.text
        }
        #expect(
            sentences == [
                "$GPGGA,010101.00,,,,,0,,,,,,,,*49\r\n$GPRMC,010101.00,V,,,,,,,010170,,,N*7B\r\n"
            ], "once")
        bench.command(.setVehicle(try Self.change(("location", "48,11"))))
        #expect(Self.told(bench.events).last?.value(at: "message.fields.sentences")?.text?.contains(",A,") == true)
    }

    /// The message has no way to say it: that is told instead, once for each loss.
    @Test func aRangeThatIsLostStaysWithThePhoneAndIsTold() throws {
        var bench = Bench()
        bench.plug("iphone", "phone")
        bench.command(.setVehicle(try Self.change(("range", "50km"), ("range-low", "off"))))
        func rules() -> [String] {
            bench.events(.linkIrregularity).compactMap { $0.record.value(at: "irregularity.rule")?.text }
        }
        bench.command(.setVehicle(try Self.change(("range", "unknown"))))
        #expect(rules().isEmpty, "nobody was told")
        bench.command(.send(SendRequest(device: "phone", message: "StartVehicleStatusUpdates")))
        #expect(Self.told(bench.events).count == 1)
        bench.command(.setVehicle(try Self.change(("range", "60km"))))
        let before = bench.events.count
        bench.command(.setVehicle(try Self.change(("range", "unknown"))))
        #expect(rules() == ["vehicleUnknown"])
        let text = bench.events(.linkIrregularity).last?.record.value(at: "irregularity.text")?.text
        #expect(text?.contains("range") == true && text?.contains("rangeLow") == false)
        bench.command(.setVehicle(try Self.change(("range-low", "on"))))
        #expect(rules().count == 1)
        bench.command(.setVehicle(try Self.change(("range-low", "unknown"))))
        #expect(rules().count == 2)
        let told = Self.told(bench.events.dropFirst(before))
        #expect(told.allSatisfy { $0.value(at: "message.fields.range") == nil })
        #expect(bench.phase() == "active")
    }

    @Test func aCarOnTheOtherSideIsNotTheRigs() throws {
        var bench = Bench()
        bench.plug("head-unit", "car")
        bench.command(.send(SendRequest(device: "car", message: "StartVehicleStatusUpdates", sender: .phone)))
        let before = bench.events.count
        bench.command(.setVehicle(try Self.change(("range", "5km"))))
        #expect(bench.events[before...].map(\.kind) == [.vehicleChanged])
    }
}

@Suite struct PositionSentencesTests {
    /// Nanoseconds since 1970 of a day, and its date as a sentence has it.
    @Test(arguments: [
        (UInt64(0), "010170"), (951_782_400, "290200"), (951_868_800, "010300"), (1_709_164_800, "290224"),
        (1_735_603_200, "311224"), (1_735_689_600, "010125"), (4_107_542_400, "010300"),
    ])
    func theDateIsThatOfTheCalendar(_ seconds: UInt64, _ date: String) {
        let sentences = PositionSentences(
            VehicleLocation(latitude: 0, longitude: 0), speed: nil, time: seconds * 1_000_000_000)
        #expect(sentences.rmc.contains(",,,\(date),,,A*"))
    }

    /// Worked out by hand: 23:59:59, the corner of the map, backwards.
    @Test func theEndsOfTheRangesHaveTheirPlaces() {
        let place = VehicleLocation(latitude: -900_000_000, longitude: 1_799_999_999, altitude: -50)
        let sentences = PositionSentences(place, speed: -1_852, time: 86_399_999_999_999)
        #expect(sentences.gga.hasPrefix("$GPGGA,235959.00,9000.00000,S,17959.99999,E,1,,,-0.50,M,,,,*"))
        #expect(sentences.rmc.contains(",3.60,,010170,,,A*"))
        for sentence in [sentences.gga, sentences.rmc] {
            let body = sentence.dropFirst().split(separator: "*")[0]
            let sum = body.utf8.reduce(0, ^)
            #expect(sentence.hasSuffix("*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"))
        }
    }
}

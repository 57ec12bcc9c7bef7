import RigModel
import Testing

@Suite struct VehicleWordsTests {
    private static func change(_ words: [(String, String)]) throws(VehicleProblem) -> MeasureChange {
        var all = VehicleWords()
        for (key, value) in words { try all.set(key, to: value) }
        return try all.change()
    }

    private static func problem(_ words: [(String, String)]) -> VehicleProblem? {
        do {
            _ = try change(words)
            return nil
        } catch {
            return error
        }
    }

    @Test func everyWordChangesItsMeasureAndNothingElse() throws {
        let expected: [(String, String, VehicleField)] = [
            ("speed", "36km/h", .speed), ("gear", "reverse", .gear), ("parking-brake", "off", .parkingBrake),
            ("ambient-light", "300lx", .ambientLight), ("location", "48.5,-11", .location),
            ("battery", "80%", .battery),
            ("fuel", "12.5%", .fuel), ("range", "120km", .range), ("range-low", "yes", .rangeLow),
        ]
        for (key, value, field) in expected {
            #expect(VehicleWords.keys.contains(key) && !VehicleWords.meaning(of: key).isEmpty)
            var measures = VehicleMeasures()
            try Self.change([(key, value)]).apply(to: &measures)
            let changed = Vehicle(measures: measures)
            #expect(changed.changes(since: Vehicle()) == [field])
            // And back to what nobody knows.
            try Self.change([(key, "unknown")]).apply(to: &measures)
            #expect(measures == VehicleMeasures())
        }
        #expect(expected.map(\.2) == VehicleField.measures)
    }

    @Test func whatIsNotKnownIsNotPublished() throws {
        #expect(Vehicle().record.value(at: "speed") == nil)
        var measures = VehicleMeasures()
        try Self.change([("location", "48.1372,11.5756"), ("heading", "90")]).apply(to: &measures)
        let record = Vehicle(measures: measures).record
        #expect(record.value(at: "location.latitude") == .double(48.1372))
        #expect(record.value(at: "location.heading") == .double(90))
        #expect(record.value(at: "location.altitude") == nil)
        #expect(record.value(at: "speed") == nil && record.value(at: "gear") == nil)
        #expect(VehicleField.location.text(in: record) == "location 48.1372,11.5756 heading 90")
        #expect(VehicleField.speed.text(in: record) == "speed unknown")
    }

    @Test func aPlaceIsSaidAsAWhole() throws {
        let change = try Self.change([("altitude", "520m"), ("location", "1,2"), ("accuracy", "unknown")])
        #expect(
            change.location == .some(VehicleLocation(latitude: 10_000_000, longitude: 20_000_000, altitude: 52_000)))
    }

    @Test(arguments: [
        ([("altitude", "5m")], "'altitude' needs the location that it belongs to"),
        ([("location", "unknown"), ("heading", "5")], "an unknown place has no 'heading'"),
        ([("location", "48.1")], "'48.1' is not LATITUDE,LONGITUDE"), ([("location", "48,181")], "181 is not between"),
        ([("gear", "drvie")], "'drvie' is none of park, reverse, neutral, drive; did you mean drive?"),
        ([("parking-brake", "maybe")], "'maybe' is neither on nor off"), ([("wheels", "4")], "has no 'wheels'"),
    ])
    func whatIsWrongIsTold(_ words: [(String, String)], _ text: String) {
        let problem = Self.problem(words)
        #expect(problem?.text.contains(text) == true, "\(problem?.text ?? "nothing")")
    }

    @Test func numbersThatCannotBeAreFoundInAChange() {
        var change = MeasureChange()
        #expect(change.problem == nil)
        change.speed = 150_001
        #expect(change.problem?.field == "speed")
        #expect(change.problem?.text == "150.001m/s is not between -50 and 150 m/s")
        change = MeasureChange()
        change.location = VehicleLocation(latitude: 0, longitude: .min)
        #expect(change.problem?.field == "location.longitude")
        change = MeasureChange()
        change.location = VehicleLocation(latitude: 0, longitude: 0, heading: 36_000)
        #expect(change.problem?.field == "location.heading")
        let both = VehicleChange(appearance: .dark, automatic: [.appearance])
        #expect(both.problem?.field == "automatic")
    }
}

@Suite struct VehicleTrackTests {
    private static func problem(_ text: String) -> VehicleTrack.Problem? {
        do {
            _ = try VehicleTrack(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func readsPointsCommentsAndEmptyValues() throws {
        let text =
            "# a tunnel\r\n time, speed ,latitude,longitude,gear\n\n0,0,48.1,11.5,park\r\n1.5,10,,,drive\n2,unknown,,,\n"
        let track = try VehicleTrack(parsing: text)
        #expect(track.points.map(\.time) == [0, 1_500_000_000, 2_000_000_000])
        #expect(track.text == text)
        var second = MeasureChange()
        second.speed = 10_000
        second.gear = .drive
        #expect(track.points[1].change == second)
        #expect(
            track.points[0].change.location == .some(VehicleLocation(latitude: 481_000_000, longitude: 115_000_000)))
        #expect(track.points[2].change.speed == .some(nil) && track.points[2].change.gear == nil)
    }

    /// As every other measure, in both of its columns.
    @Test func aPlaceIsTakenBack() throws {
        let text = "time,latitude,longitude,heading\n0,48,11,90\n1,unknown,unknown,\n2,unknown,unknown,unknown\n"
        let track = try VehicleTrack(parsing: text)
        #expect(track.points[0].change.location != .some(nil))
        #expect(track.points[1].change.location == .some(nil))
        #expect(track.points[2].change.location == .some(nil))
    }

    @Test(arguments: [
        ("", 1, "the track has no points"), ("time,speed\n", 2, "the track has no points"),
        ("speed\n1\n", 1, "the column 'time' is missing"), ("time,sped\n", 1, "did you mean 'speed'?"),
        ("time,time\n", 1, "the column 'time' stands twice"), ("time,latitude\n", 1, "go together"),
        ("time,speed\n1\n", 2, "1 values stand here, and 2 columns above"),
        ("time,speed\n0,151\n", 2, "speed: 151 is not between -50 and 150 m/s"),
        ("time,speed\n-1,1\n", 2, "time: '-1' is no number of seconds"),
        ("time,speed\n1.,1\n", 2, "time: '1.' is no number"),
        ("time,speed\n86400.1,1\n", 2, "86400.1 is not between 0 and 86400"),
        ("time,speed\n99999999999999999999,1\n", 2, "is not between 0 and 86400"),
        ("time,speed\n1.0000000001,1\n", 2, "up to nine decimals"),
        ("time,speed\n1,1\n1,2\n", 3, "not later than that of the point before"),
        ("time,latitude,longitude\n1,48,\n", 2, "latitude and longitude go together"),
        ("time,latitude,longitude\n1,unknown,\n", 2, "latitude and longitude go together"),
        ("time,latitude,longitude\n1,48,unknown\n", 2, "latitude and longitude go together"),
        ("time,latitude,longitude,heading\n1,unknown,unknown,90\n", 2, "an unknown place has no 'heading'"),
        ("time,altitude\n1,5\n", 2, "'altitude' needs the location"),
    ])
    func whatIsWrongIsToldWithItsLine(_ text: String, _ line: Int, _ message: String) {
        let problem = Self.problem(text)
        #expect(problem?.line == line)
        #expect(problem?.text.contains(message) == true, "\(problem?.text ?? "nothing")")
    }

    @Test func aByteOrderMarkIsNoColumn() throws {
        #expect(try VehicleTrack(parsing: "\u{FEFF}time,fuel\n1,2\n").points.count == 1)
        #expect(Self.problem("\u{FEFF}tim,fuel\n")?.text.hasPrefix("there is no column 'tim'; ") == true)
    }

    @Test(arguments: [
        "LONG\n", "time,fuel\nLONG,1\n", "time,fuel\n1,LONG\n", "time,gear\n1,LONG\n", "time,range-low\n1,LONG\n",
    ])
    func aLongWordIsCut(_ form: String) throws {
        for letter in ["x", "9"] {
            let text = form.replacing("LONG", with: String(repeating: letter, count: 100_000))
            let problem = try #require(Self.problem(text))
            #expect(problem.text.utf8.count < 500, "\(problem.text.prefix(600))")
        }
    }

    @Test(arguments: VehicleWords.keys + ["nothing"]) func aLongValueIsCut(_ key: String) {
        let word = String(repeating: "x", count: 100_000)
        for (key, text) in [(key, word), (key, "1,\(word)"), (key + word, "1")] {
            var words = VehicleWords()
            do throws(VehicleProblem) {
                try words.set(key, to: text)
                Issue.record("\(key.prefix(100)) was taken")
            } catch {
                #expect(error.text.utf8.count < 500, "\(error.text.prefix(600))")
            }
        }
    }

    @Test func aTrackHasALimit() throws {
        let points = (0..<VehicleTrack.maximumPoints).map { "\($0),1\n" }.joined()
        #expect(try VehicleTrack(parsing: "time,fuel\n\(points)").points.count == VehicleTrack.maximumPoints)
        #expect(Self.problem("time,fuel\n\(points)20000,1\n")?.text == "a track has at most 16384 points")
        #expect(Self.problem(String(repeating: "#", count: 1_000_001))?.text.contains("the most is 1000000") == true)
    }
}

import DashrigDaemon
import RigModel
import Testing
import VarlinkProtocol

/// The vehicle over the socket of a running daemon.
@Suite struct DaemonVehicleTests {
    private static let set = "\(RigInterface.name).SetVehicle"

    @Test func whatIsSetIsAnsweredPublishedAndInTheState() throws {
        let daemon = try RunningDaemon()
        let watcher = try daemon.connect()
        try watcher.send("\(RigInterface.name).Subscribe", ["kinds": ["vehicle.changed"]], more: true)
        _ = try watcher.reply()
        let client = try daemon.connect()
        try client.send(
            Self.set,
            ["speed": 13.889, "gear": "drive", "location": ["latitude": 48.1372, "longitude": 11.5756], "fuel": 0])
        let vehicle = try #require(try client.reply().parameters["vehicle"]?.objectValue)
        #expect(vehicle["speed"]?.doubleValue == 13.889)
        #expect(vehicle["fuel"]?.doubleValue == 0 && vehicle["battery"] == nil)
        #expect(vehicle["location"]?.objectValue?["latitude"]?.doubleValue == 48.1372)
        #expect(vehicle["revision"]?.intValue == 2)
        let event = try #require(try watcher.reply().parameters["event"]?.objectValue)
        #expect(event["vehicle"] == .object(vehicle))
        #expect(event["changed"] == ["speed", "gear", "location", "fuel"])
        try client.send("\(RigInterface.name).GetState")
        let state = try client.reply().parameters["state"]?.objectValue
        #expect(state?["vehicle"] == .object(vehicle))
    }

    @Test func aTrackIsPlayedByTheDaemonItself() throws {
        let daemon = try RunningDaemon()
        let watcher = try daemon.connect()
        try watcher.send("\(RigInterface.name).Subscribe", ["kinds": ["vehicle.changed"]], more: true)
        _ = try watcher.reply()
        let client = try daemon.connect()
        try client.send(Self.set, ["track": "time,speed\n0,1\n0.02,2\n0.04,unknown\n"])
        #expect(try client.reply().parameters["vehicle"]?.objectValue?["track"] == ["point": 0, "points": 3])
        var speeds: [Double?] = []
        var times: [Int64] = []
        for _ in 0..<4 {
            let event = try watcher.reply().parameters["event"]?.objectValue
            speeds.append(event?["vehicle"]?.objectValue?["speed"]?.doubleValue)
            times.append(event?["time"]?.intValue ?? 0)
        }
        #expect(speeds == [nil, 1, 2, nil])
        #expect(times[2] - times[0] >= 20_000_000 && times[3] - times[0] >= 40_000_000)
    }

    @Test(
        arguments: [
            (["speed": 151], "speed"), (["ambientLight": -1], "ambientLight"), (["battery": 100.5], "battery"),
            (["fuel": 101], "fuel"), (["range": 10_001], "range"), (["gear": "fifth"], "gear"),
            (["location": ["latitude": 91, "longitude": 0]], "location.latitude"),
            (["location": ["latitude": 0, "longitude": -181]], "location.longitude"),
            (["location": ["latitude": 0, "longitude": 0, "altitude": 1e6]], "location.altitude"),
            (["location": ["latitude": 0, "longitude": 0, "heading": 360]], "location.heading"),
            (["location": ["latitude": 0, "longitude": 0, "accuracy": -1]], "location.accuracy"),
            (["location": ["latitude": 0]], "location.longitude"), (["unknown": ["sped"]], "unknown"),
            (["unknown": ["speed"], "speed": 1], "unknown"), (["automatic": ["speed"]], "automatic"),
            (["automatic": ["lists"], "limitLists": true], "automatic"), (["track": "time\n"], "track"),
            (["track": "time\n0\n", "stopTrack": true], "stopTrack"), (["speed": "fast"], "speed"),
        ] as [(JSONObject, String)])
    func whatCannotBeIsRefusedByItsName(_ parameters: JSONObject, _ field: String) throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try client.send(Self.set, parameters)
        let reply = try client.reply()
        #expect(reply.error == "org.varlink.service.InvalidParameter")
        #expect(reply.parameters["parameter"]?.stringValue == field)
        try client.send("\(RigInterface.name).GetState")
        let state = try client.reply().parameters["state"]?.objectValue
        #expect(state?["vehicle"]?.objectValue?["revision"]?.intValue == 1)
    }

    @Test func tooManyTracksAreRefused() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        let tracks = (0...TrackFile.maximumCount).map { JSON.object(["name": .string("\($0)"), "text": "time\n0\n"]) }
        try client.send(
            "\(RigInterface.name).Run", ["scenario": "mark x\n", "tracks": .array(tracks)], more: true)
        #expect(try client.reply().parameters["parameter"]?.stringValue == "tracks")
    }
}

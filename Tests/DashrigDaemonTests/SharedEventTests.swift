import Testing
import VarlinkProtocol

/// Events are made once for all streams: each stream tells all of them, in order and whole, however fast it is read.
struct SharedEventTests {
    @Test func whoReadsLateIsToldTheSameAsWhoReadsAtOnce() throws {
        let daemon = try RunningDaemon()
        let marks = 400
        let streams = try (0..<3).map { _ in
            let client = try daemon.connect()
            try client.send("org.dashrig.Rig.Subscribe", ["kinds": ["mark"]], more: true)
            while try client.reply().parameters["complete"]?.boolValue != true {}
            return client
        }
        // More in one turn than a socket takes, in parts that end anywhere.
        let sender = try daemon.connect()
        for number in 0..<marks {
            let text = "\(number) " + String(repeating: "x", count: 700 + number % 300)
            try sender.send("org.dashrig.Rig.Mark", ["text": .string(text)], oneway: true)
            if number % 3 == 0 { _ = try streams[0].events(until: "mark") }
        }
        for (place, stream) in streams.enumerated() {
            let read = place == 0 ? (marks + 2) / 3 : 0
            var texts: [String] = []
            while texts.count < marks - read {
                texts.append(try #require(try stream.events(until: "mark").last?["text"]?.stringValue))
            }
            let numbers = texts.map { $0.split(separator: " ").first.map(String.init) }
            #expect(numbers == (read..<marks).map(String.init))
            #expect(texts.allSatisfy { text in Int(text.prefix { $0 != " " }).map { Self.isWhole(text, $0) } == true })
        }
    }

    private static func isWhole(_ text: String, _ number: Int) -> Bool {
        text == "\(number) " + String(repeating: "x", count: 700 + number % 300)
    }
}

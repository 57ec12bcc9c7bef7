import RigModel

/// Applies files to a table of CAN controllers, one after the other.
struct CANTableReader {
    private(set) var profiles: [CANProfile]
    private(set) var problems: [ConfigurationProblem] = []

    private static let kinds = [SectionKind(word: "can", isNamed: true)]
    private static let deviceKinds: [DeviceKind] = [.knob, .touchpad, .keys]
    /// From a second of a millisecond's thousand frames to a minute: ours.
    private static let rhythms: ClosedRange<UInt64> = 1_000_000...60_000_000_000

    init(_ table: CANTable) { profiles = table.profiles }

    mutating func read(_ file: ConfigurationFile) {
        var parser = INIParser(file: file)
        parser.run()
        var found = parser.problems
        for section in parser.sections {
            if let problem = SectionKind.problem(of: section, among: Self.kinds) {
                found.append(problem)
                continue
            }
            var reader = SectionReader(section)
            readController(&reader)
            reader.finish()
            found += reader.problems
        }
        problems += found.byLine()
    }

    private mutating func readController(_ reader: inout SectionReader) {
        let name = reader.section.name ?? ""
        if !DisplayDescription.isName(name) {
            reader.refuse("a controller's name has 1 to 32 letters, digits, '-', '_' or '.'")
        }
        let isEnabled = reader.value("enabled", ConfigurationValue.bool) ?? true
        let kind = reader.value("kind") { (text) throws(ConfigurationValueError) in
            try DeviceTableReader.kind(text, among: Self.deviceKinds)
        }
        let prefix = reader.value("name-prefix", DeviceTableReader.namePrefix)
        let model = reader.value("model") { (text) throws(ConfigurationValueError) in text } ?? ""
        let bitRate = reader.value("bit-rate") { (text) throws(ConfigurationValueError) in
            // What classical CAN is run at.
            try ConfigurationValue.integer(text, in: 10_000...1_000_000)
        }
        var layout = CANLayout()
        readTurn(&reader, into: &layout)
        readPad(&reader, into: &layout)
        readControls(&reader, into: &layout)
        readBeingThere(&reader, into: &layout)
        readSendings(&reader, into: &layout)
        guard reader.problems.isEmpty, !reader.section.isDamaged else { return }
        guard isEnabled else { return profiles.removeAll { $0.name == name } }
        guard let kind = kind ?? .knob else {
            return reader.refuse("a controller that is not wanted is taken out with \"enabled = no\"")
        }
        guard layout.turn != nil || layout.pad != nil || !layout.controls.isEmpty else {
            return reader.refuse("the section needs one of the keys \"turn\", \"press\", \"pad\", or another control")
        }
        put(
            CANProfile(
                name: name, model: model, kind: kind, namePrefix: prefix ?? DeviceTableReader.prefix(of: kind),
                bitRate: bitRate, layout: layout), &reader)
    }

    private mutating func put(_ profile: CANProfile, _ reader: inout SectionReader) {
        profiles.removeAll { $0.name == profile.name }
        guard profiles.count < CANTable.maximumProfiles else {
            return reader.refuse("a CAN table has at most \(CANTable.maximumProfiles) controllers")
        }
        profiles.append(profile)
    }

    private func readTurn(_ reader: inout SectionReader, into layout: inout CANLayout) {
        layout.turn = reader.value("turn", CANValues.counter).map { CANTurn(id: $0.id, counter: $0.number) }
        for key in ["units-per-detent", "reversed"] {
            guard let entry = reader.entry(key) else { continue }
            if layout.turn == nil && reader.section.entry("turn") == nil {
                reader.refuse(entry, "it means nothing without the key \"turn\"")
            } else if key == "reversed" {
                if let isReversed = reader.value(of: entry, ConfigurationValue.bool) {
                    layout.turn?.reversed = isReversed
                }
            } else if let ratio = reader.value(of: entry, RuleValues.unitsPerDetent) {
                layout.turn?.units = ratio.units
                layout.turn?.detents = ratio.detents
            }
        }
    }

    private func readPad(_ reader: inout SectionReader, into layout: inout CANLayout) {
        let id = reader.value("pad", CANValues.identifier)
        let numbers = ["pad-x", "pad-y", "pad-x2", "pad-y2"].map { reader.value($0, CANValues.number) }
        let fingers = reader.value("pad-fingers", CANValues.fingers)
        let isFromBottom = reader.value("pad-rows") { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.choice(text, of: PadRows.self) == .fromBottom
        }
        let keys = ["pad", "pad-x", "pad-y", "pad-x2", "pad-y2", "pad-fingers", "pad-rows"]
        guard keys.contains(where: { reader.section.entry($0) != nil }), reader.problems.isEmpty else { return }
        guard let id, let x = numbers[0], let y = numbers[1], let fingers else {
            return reader.refuse("a pad needs the keys \"pad\", \"pad-x\", \"pad-y\" and \"pad-fingers\"")
        }
        var places = [CANPad.Place(x: x, y: y)]
        switch (numbers[2], numbers[3]) {
        case (let x?, let y?):
            guard x.maximum == places[0].x.maximum, y.maximum == places[0].y.maximum else {
                return reader.refuse("\"pad-x2\" and \"pad-y2\" need as many bits as \"pad-x\" and \"pad-y\"")
            }
            places.append(CANPad.Place(x: x, y: y))
        case (nil, nil): break
        case (nil, _?), (_?, nil): return reader.refuse("\"pad-x2\" and \"pad-y2\" belong together")
        }
        layout.pad = CANPad(id: id, places: places, state: fingers.place, counts: fingers.counts)
        layout.pad?.isFromBottom = isFromBottom ?? false
    }

    private enum PadRows: String, CaseIterable {
        case fromTop, fromBottom
    }

    private func readControls(_ reader: inout SectionReader, into layout: inout CANLayout) {
        let nudges = NudgeDirection.allCases.map {
            ("nudge-\(ConfigurationValue.word($0.rawValue))", KeyMeaning.nudge($0))
        }
        let keys = Key.allCases.map { (ConfigurationValue.word($0.rawValue), KeyMeaning.key($0)) }
        for (key, meaning) in [("press", .press)] + nudges + keys {
            guard let place = reader.value(key, CANValues.control) else { continue }
            layout.controls.append(
                CANControl(meaning, id: place.id, concerns: place.concerns, down: place.down, held: place.held))
        }
    }

    private func readBeingThere(_ reader: inout SectionReader, into layout: inout CANLayout) {
        reader.read("alive", into: &layout.alive) { (text) throws(ConfigurationValueError) in
            var ids: [CANIdentifier] = []
            for part in try ConfigurationValue.list(text, atMost: 16) { ids.append(try CANValues.identifier(part)) }
            return ids
        }
        layout.reset = reader.value("reset", CANValues.tests).map { CANLayout.Reset(id: $0.id, tests: $0.tests) }
        reader.read("silence", into: &layout.silence) { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.duration(text, in: 100_000_000...60_000_000_000)
        }
    }

    private func readSendings(_ reader: inout SectionReader, into layout: inout CANLayout) {
        if let frame = reader.value("start", CANValues.frame) { layout.sendings.append(CANSending(.start, frame)) }
        for key in ["keep-alive", "poll"] {
            let frame = reader.value(key, CANValues.frame)
            let interval = reader.value("\(key)-every") { (text) throws(ConfigurationValueError) in
                try ConfigurationValue.duration(text, in: Self.rhythms)
            }
            switch (reader.section.entry(key), reader.section.entry("\(key)-every")) {
            case (nil, nil): break
            case (_?, _?): if let frame, let interval { layout.sendings.append(CANSending(.every(interval), frame)) }
            case (let entry?, nil): reader.refuse(entry, "it needs the key \"\(key)-every\"")
            case (nil, let entry?): reader.refuse(entry, "it means nothing without the key \"\(key)\"")
            }
        }
    }
}

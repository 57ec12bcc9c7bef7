import RigModel

extension RigSettings {
    /// Reads `dashrig.ini` and its drop-ins in this order; a key of a later file wins, a list replaces the earlier one.
    /// Throws every problem of every file.
    public static func parse(_ files: [ConfigurationFile]) throws(ConfigurationError) -> RigSettings {
        var reader = RigSettingsReader()
        for file in files { reader.read(file) }
        reader.checkTogether()
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
        return reader.settings
    }
}

/// Applies files to settings, one after the other.
struct RigSettingsReader {
    private(set) var settings = RigSettings()
    private(set) var problems: [ConfigurationProblem] = []
    private var frontPolicy: (word: FrontWord, place: Place)?
    private var priority: (names: [String], place: Place)?
    /// True once a list was refused: that there is none then says nothing.
    private var isPriorityWrong = false
    private var clientsPerUser: Place?
    private var certificates: Place?
    private var pinned: Place?
    /// True once the pins were refused: that there are none then says nothing.
    private var arePinsWrong = false
    /// Where the head-unit profile was named, for whoever knows which there are.
    private(set) var headUnit: Place?
    /// Where controllers on CAN buses were named, for whoever knows which there are.
    private(set) var can: Place?

    /// An entry with its section, to tell problems that show only when all files are read.
    struct Place {
        let section: INISection
        let entry: INIEntry
    }

    private enum FrontWord: String, CaseIterable {
        case first, last, priority
    }

    private static let kinds = ["rig", "deadlines", "link", "limits", "usb", "input", "authentication", "socket"].map {
        SectionKind(word: $0, isNamed: false)
    }

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
            switch section.kind {
            case "rig": readRig(&reader)
            case "deadlines": readDeadlines(&reader)
            case "link": settings.link.read(&reader)
            case "limits": readLimits(&reader)
            case "usb": readUSB(&reader)
            case "input": readInput(&reader)
            case "authentication": readAuthentication(&reader)
            default: readSocket(&reader)
            }
            reader.finish()
            found += reader.problems
        }
        problems += found.byLine()
    }

    /// What no single entry shows.
    mutating func checkTogether() {
        if settings.limits.clientsPerUser > settings.limits.clients {
            if let place = clientsPerUser {
                problems.append(
                    place.section.problem(
                        place.entry, "more clients of one user than clients in all (\(settings.limits.clients))"))
            } else {
                settings.limits.clientsPerUser = settings.limits.clients
            }
        }
        checkPins()
        switch frontPolicy?.word ?? .first {
        case .first, .last:
            if let priority {
                problems.append(
                    priority.place.section.problem(
                        priority.place.entry, "the list means nothing without \"front = priority\""))
            }
        case .priority:
            if priority == nil && !isPriorityWrong, let place = frontPolicy?.place {
                problems.append(
                    place.section.problem(place.entry, "\"priority\" needs the list \"priority = NAME, NAME\""))
            }
        }
    }

    private mutating func readRig(_ reader: inout SectionReader) {
        if let entry = reader.entry("instance") {
            if let name = reader.value(of: entry, Self.optionalName) { settings.instance = name }
        }
        if let entry = reader.entry("front"),
            let word = reader.value(
                of: entry,
                { (text) throws(ConfigurationValueError) in
                    try ConfigurationValue.choice(text, of: FrontWord.self)
                })
        {
            frontPolicy = (word, Place(section: reader.section, entry: entry))
        }
        if let entry = reader.entry("priority") {
            if let names = reader.value(of: entry, Self.names) {
                // An empty list takes an earlier file's list back.
                priority = names.isEmpty ? nil : (names, Place(section: reader.section, entry: entry))
            } else {
                isPriorityWrong = true
            }
        }
        switch frontPolicy?.word ?? .first {
        case .first: settings.frontPolicy = .first
        case .last: settings.frontPolicy = .last
        case .priority: settings.frontPolicy = .priority(priority?.names ?? [])
        }
        if let entry = reader.entry("head-unit"), let name = reader.value(of: entry, Self.name) {
            settings.headUnitProfile = name
            headUnit = Place(section: reader.section, entry: entry)
        }
        reader.read("reenumeration-window", into: &settings.reenumerationWindow, Self.duration(0...minute))
        reader.read("handshake-retries", into: &settings.handshakeRetries, Self.integer(0...100))
        reader.read("retry-delays", into: &settings.retryDelays, Self.delays)
        // Not 0: a phone that refuses at once would be asked without a pause.
        reader.read("authentication-pause", into: &settings.authenticationPause, Self.duration(100_000_000...minute))
        reader.read(
            "authentication-pause-maximum", into: &settings.authenticationPauseMaximum,
            Self.duration(100_000_000...60 * minute))
        reader.read("long-press", into: &settings.longPress, Self.duration(50_000_000...10_000_000_000))
    }

    private mutating func readDeadlines(_ reader: inout SectionReader) {
        let range = Self.duration(10_000_000...10 * minute)
        reader.read("detect", into: &settings.deadlines.detect, range)
        reader.read("synchronize", into: &settings.deadlines.synchronize, range)
        reader.read("authenticate", into: &settings.deadlines.authenticate, range)
        reader.read("identify", into: &settings.deadlines.identify, range)
        reader.read("start", into: &settings.deadlines.start, range)
    }

    private mutating func readLimits(_ reader: inout SectionReader) {
        if let entry = reader.entry("clients-per-user"),
            let count = reader.value(of: entry, Self.integer(1...65_536))
        {
            settings.limits.clientsPerUser = count
            clientsPerUser = Place(section: reader.section, entry: entry)
        }
        reader.read("clients", into: &settings.limits.clients, Self.integer(1...65_536))
        let call = Self.byteCount(4_096...67_108_864)
        reader.read("rig-call-bytes", into: &settings.limits.rigCallBytes, call)
        reader.read("app-call-bytes", into: &settings.limits.appCallBytes, call)
        reader.read("queue-bytes", into: &settings.limits.queueBytes, Self.byteCount(65_536...67_108_864))
        reader.read("subscriptions", into: &settings.limits.subscriptions, Self.integer(1...65_536))
        reader.read("devices", into: &settings.limits.devices, Self.integer(1...65_536))
        reader.read("apps", into: &settings.limits.apps, Self.integer(1...65_536))
    }

    private mutating func readUSB(_ reader: inout SectionReader) {
        reader.read("enabled", into: &settings.usb.isEnabled, ConfigurationValue.bool)
        reader.read("ports", into: &settings.usb.ports.only, RuleValues.patterns)
        reader.read("except", into: &settings.usb.ports.except, RuleValues.patterns)
        reader.read("apple-probes", into: &settings.usb.probesApple, ConfigurationValue.bool)
        reader.read("accessory-mode", into: &settings.usb.startsAccessoryMode, ConfigurationValue.bool)
        reader.read("detach-driver", into: &settings.usb.detachesDriver, ConfigurationValue.bool)
        reader.read("select-configuration", into: &settings.usb.selectsConfiguration, ConfigurationValue.bool)
    }

    private mutating func readInput(_ reader: inout SectionReader) {
        reader.read("enabled", into: &settings.input.isEnabled, ConfigurationValue.bool)
        reader.read("ports", into: &settings.input.ports.only, RuleValues.patterns)
        reader.read("except", into: &settings.input.ports.except, RuleValues.patterns)
        reader.read("names", into: &settings.input.names.only, RuleValues.patterns)
        reader.read("except-names", into: &settings.input.names.except, RuleValues.patterns)
        reader.read("knobs", into: &settings.input.takesKnobs, ConfigurationValue.bool)
        reader.read("grab", into: &settings.input.grabs, ConfigurationValue.bool)
        if let entry = reader.entry("can"), let choices = reader.value(of: entry, Self.canChoices) {
            settings.input.can = choices
            can = Place(section: reader.section, entry: entry)
        }
        let times: ClosedRange<UInt64> = 0...2_000_000_000
        reader.read("double-press", into: &settings.input.intents.doublePress, Self.duration(times))
        reader.read("tap", into: &settings.input.intents.tap, Self.duration(times))
        reader.read("tap-slop", into: &settings.input.intents.slop, Self.length(0...5_000))
        reader.read("swipe", into: &settings.input.intents.swipe, Self.length(100...20_000))
        reader.read("swipe-time", into: &settings.input.intents.swipeTime, Self.duration(times))
        reader.read("focus-step", into: &settings.input.intents.focusStep, Self.length(50...20_000))
    }

    private mutating func readAuthentication(_ reader: inout SectionReader) {
        reader.read("shape", into: &settings.authentication.shape) { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.choice(text, of: SignatureShape.self)
        }
        if let entry = reader.entry("certificates"),
            let choice = reader.value(
                of: entry,
                { (text) throws(ConfigurationValueError) in
                    try ConfigurationValue.choice(text, of: CertificateChoice.self)
                })
        {
            settings.authentication.certificates = choice
            certificates = Place(section: reader.section, entry: entry)
        }
        if let entry = reader.entry("pinned") {
            if let fingerprints = reader.value(of: entry, ConfigurationValue.fingerprints) {
                settings.authentication.pinned = fingerprints
                pinned = fingerprints.isEmpty ? nil : Place(section: reader.section, entry: entry)
            } else {
                arePinsWrong = true
            }
        }
        reader.read("signer", into: &settings.authentication.signer) { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.choice(text, of: SignerChoice.self)
        }
    }

    private mutating func checkPins() {
        switch settings.authentication.certificates {
        case .any, .selfMade:
            guard let pinned else { return }
            problems.append(
                pinned.section.problem(pinned.entry, "the list means nothing without \"certificates = pinned\""))
        case .pinned:
            guard pinned == nil, !arePinsWrong, let certificates else { return }
            problems.append(
                certificates.section.problem(
                    certificates.entry, "\"pinned\" needs the list \"pinned = FINGERPRINT, FINGERPRINT\""))
        }
    }

    private mutating func readSocket(_ reader: inout SectionReader) {
        reader.read("group", into: &settings.sockets.controlGroup, Self.name)
        reader.read("app-group", into: &settings.sockets.appGroup, Self.name)
    }
}

private let minute: UInt64 = 60_000_000_000

/// How single values of the settings are read.
extension RigSettingsReader {
    private typealias Parse<Value> = (String) throws(ConfigurationValueError) -> Value

    private static func length(_ range: ClosedRange<Int>) -> (String) throws(ConfigurationValueError) -> Int {
        { (text) throws(ConfigurationValueError) in try ConfigurationValue.length(text, in: range) }
    }

    private static func duration(_ range: ClosedRange<UInt64>) -> Parse<UInt64> {
        { (text) throws(ConfigurationValueError) in try ConfigurationValue.duration(text, in: range) }
    }

    private static func integer(_ range: ClosedRange<Int>) -> Parse<Int> {
        { (text) throws(ConfigurationValueError) in try ConfigurationValue.integer(text, in: range) }
    }

    private static func byteCount(_ range: ClosedRange<Int>) -> Parse<Int> {
        { (text) throws(ConfigurationValueError) in try ConfigurationValue.byteCount(text, in: range) }
    }

    private static func name(_ text: String) throws(ConfigurationValueError) -> String {
        guard DisplayDescription.isName(text) else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is not a name of 1 to 32 letters, digits, '-', '_' or '.'")
        }
        return text
    }

    /// Empty text takes an earlier file's name back.
    private static func optionalName(_ text: String) throws(ConfigurationValueError) -> String? {
        if text.isEmpty { return nil }
        return try name(text)
    }

    private static func names(_ text: String) throws(ConfigurationValueError) -> [String] {
        var names: [String] = []
        for part in try ConfigurationValue.list(text) {
            let name = try name(part)
            guard !names.contains(name) else { throw ConfigurationValueError("\"\(name)\" comes twice") }
            names.append(name)
        }
        return names
    }

    private static func canChoices(_ text: String) throws(ConfigurationValueError) -> [CANChoice] {
        var choices: [CANChoice] = []
        for part in try ConfigurationValue.list(text, atMost: CANChoice.maximumChoices) {
            let sides = part.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, DisplayDescription.isName(sides[1]) else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(part)) is not INTERFACE:CONTROLLER as in can0:idrive-g")
            }
            // IFNAMSIZ is 16 with the NUL; the kernel allows neither '/' nor spaces.
            guard DisplayDescription.isName(sides[0]), sides[0].utf8.count <= 15 else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(sides[0])) is no network interface of 1 to 15 letters, digits, '-', '_' "
                        + "or '.'")
            }
            let choice = CANChoice(interface: sides[0], controller: sides[1])
            guard !choices.contains(choice) else { throw ConfigurationValueError("\"\(part)\" comes twice") }
            choices.append(choice)
        }
        return choices
    }

    private static func delays(_ text: String) throws(ConfigurationValueError) -> [UInt64] {
        var delays: [UInt64] = []
        for part in try ConfigurationValue.list(text, atMost: 16) {
            delays.append(try ConfigurationValue.duration(part, in: 0...10 * minute))
        }
        guard !delays.isEmpty else { throw ConfigurationValueError("at least one pause is needed, as in 1s, 2s, 4s") }
        return delays
    }
}

import RigModel

extension HeadUnitProfile {
    /// Reads a profile from its file. Throws every problem of the file.
    public static func parse(_ file: ConfigurationFile) throws(ConfigurationError) -> HeadUnitProfile {
        var reader = HeadUnitProfileReader(file: file)
        reader.run()
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems.byLine()) }
        return reader.profile
    }
}

/// Reads the sections of one profile: first what holds for all displays, then the displays.
struct HeadUnitProfileReader {
    private let file: ConfigurationFile
    private(set) var profile: HeadUnitProfile
    private(set) var problems: [ConfigurationProblem] = []

    private static let kinds = [
        SectionKind(word: "profile", isNamed: false), SectionKind(word: "vehicle", isNamed: false),
        SectionKind(word: "derive", isNamed: false), SectionKind(word: "display", isNamed: true),
    ]

    init(file: ConfigurationFile) {
        self.file = file
        self.profile = HeadUnitProfile(name: file.stem, displays: [])
    }

    mutating func run() {
        var parser = INIParser(file: file)
        parser.run()
        problems = parser.problems
        var known: [INISection] = []
        for section in parser.sections {
            if let problem = SectionKind.problem(of: section, among: Self.kinds) {
                problems.append(problem)
            } else {
                known.append(section)
            }
        }
        for section in known where section.kind == "profile" { readProfile(section) }
        for section in known where section.kind == "vehicle" { readVehicle(section) }
        for section in known where section.kind == "derive" { readRules(section) }
        checkName(parser.sections.first { $0.kind == "profile" })
        for section in known where section.kind == "display" { readDisplay(section) }
        // A broken header may be the display that is missing.
        if parser.problems.isEmpty && !known.contains(where: { $0.kind == "display" }) {
            problems.append(
                ConfigurationProblem(
                    file: file.name, line: 1, text: "a profile needs at least one section [display NAME]"))
        }
    }

    private mutating func readProfile(_ section: INISection) {
        var reader = SectionReader(section)
        reader.read("name", into: &profile.name) { (text) throws(ConfigurationValueError) in text }
        reader.read("description", into: &profile.summary, Self.line)
        reader.read("manufacturer", into: &profile.manufacturer, Self.line)
        reader.read("model", into: &profile.model, Self.line)
        reader.finish()
        problems += reader.problems
    }

    /// The name may come from the section or from the file; in both cases it must be one.
    private mutating func checkName(_ section: INISection?) {
        guard !DisplayDescription.isName(profile.name) else { return }
        let text =
            "\(ConfigurationValue.quoted(profile.name)) is not a name of 1 to 32 letters, digits, '-', '_' or '.'"
        if let section, let entry = section.entry("name") {
            problems.append(section.problem(entry, text))
        } else {
            problems.append(
                ConfigurationProblem(
                    file: file.name, line: 1, text: "the file's name \(text); give one in [profile] name"))
        }
    }

    private mutating func readVehicle(_ section: INISection) {
        var reader = SectionReader(section)
        reader.read("appearance", into: &profile.vehicle.appearance, HeadUnitValues.choice)
        reader.read("driver-side", into: &profile.vehicle.driverSide, HeadUnitValues.choice)
        reader.read("limited-ui", into: &profile.vehicle.limitedUI, HeadUnitValues.limitedUI)
        readMeasures(&reader)
        reader.finish()
        problems += reader.problems
    }

    /// What is known of the vehicle at the start.
    private mutating func readMeasures(_ reader: inout SectionReader) {
        var words = VehicleWords()
        for key in VehicleWords.keys {
            guard let entry = reader.entry(key) else { continue }
            do throws(VehicleProblem) {
                try words.set(key, to: entry.value)
            } catch {
                reader.refuse(entry, error.text)
            }
        }
        do throws(VehicleProblem) {
            try words.change().apply(to: &profile.vehicle.measures)
        } catch {
            reader.refuse(error.text)
        }
    }

    private mutating func readRules(_ section: INISection) {
        var reader = VehicleRulesReader(section)
        profile.rules = reader.read()
        problems += reader.problems
    }

    private mutating func readDisplay(_ section: INISection) {
        guard profile.displays.count < HeadUnitProfile.maximumDisplays else {
            problems.append(
                section.problem("a profile has at most \(HeadUnitProfile.maximumDisplays) displays"))
            return
        }
        var reader = DisplaySectionReader(section, vehicle: profile.vehicle)
        profile.displays.append(reader.read())
        problems += reader.problems
    }

    private static func line(_ text: String) throws(ConfigurationValueError) -> String {
        guard text.utf8.count <= 256 else { throw ConfigurationValueError("the text has more than 256 bytes") }
        return text
    }
}

/// How single values of a head-unit profile are read.
enum HeadUnitValues {
    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String
    ) throws(ConfigurationValueError) -> Choice where Choice.RawValue == String {
        try ConfigurationValue.choice(text, of: Choice.self)
    }

    /// `keyboard`, `lists`, both, or `none`.
    static func limitedUI(_ text: String) throws(ConfigurationValueError) -> LimitedUI {
        var limits = LimitedUI()
        if text == "none" { return limits }
        for part in try ConfigurationValue.list(text) {
            switch part {
            case "keyboard": limits.keyboard = true
            case "lists": limits.lists = true
            default:
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(part)) is none of keyboard, lists, none",
                    suggestion: Spelling.nearest(to: part, among: ["keyboard", "lists", "none"]))
            }
        }
        return limits
    }

    /// Inputs between commas, each once; the result has the order of `DisplayInput.allCases`.
    static func inputs(_ text: String) throws(ConfigurationValueError) -> [DisplayInput] {
        var inputs: [DisplayInput] = []
        for part in try ConfigurationValue.list(text) {
            let input = try ConfigurationValue.choice(part, of: DisplayInput.self)
            guard !inputs.contains(input) else { throw ConfigurationValueError("\"\(part)\" comes twice") }
            inputs.append(input)
        }
        guard !inputs.isEmpty else { throw ConfigurationValueError("a display needs at least one input") }
        return inputs
    }
}

import RigModel

extension DeviceTable {
    /// The shipped rules with files added in their order. A rule of a name that is already there replaces that rule as a
    /// whole, `enabled = no` takes it out. Throws every problem of every file.
    public static func parse(_ files: [ConfigurationFile]) throws(ConfigurationError) -> DeviceTable {
        try shipped.adding(files)
    }

    /// This table with files added.
    func adding(_ files: [ConfigurationFile]) throws(ConfigurationError) -> DeviceTable {
        var reader = DeviceTableReader(self)
        for file in files { reader.read(file) }
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
        return DeviceTable(
            usbRules: reader.usbRules, inputRules: reader.resolvedInputRules, keymaps: reader.keymaps)
    }
}

/// Applies files to a table, one after the other.
struct DeviceTableReader {
    private(set) var usbRules: [DeviceTable.Rule<USBMatch, DeviceProfile>]
    private(set) var inputRules: [DeviceTable.Rule<InputMatch, InputProfile>]
    private(set) var keymaps: [Keymap]
    private(set) var problems: [ConfigurationProblem] = []

    private static let kinds = [
        SectionKind(word: "device", isNamed: true), SectionKind(word: "input", isNamed: true),
        SectionKind(word: "keymap", isNamed: true),
    ]
    private static let defaultPriority = 100

    init(_ table: DeviceTable) {
        self.usbRules = table.usbRules
        self.inputRules = table.inputRules
        self.keymaps = table.keymaps
    }

    mutating func read(_ file: ConfigurationFile) {
        var parser = INIParser(file: file)
        parser.run()
        var found = parser.problems
        // Keymaps first: a rule may name one that stands below it.
        for section in parser.sections where section.kind == "keymap" { found += readKeymap(section) }
        for section in parser.sections where section.kind != "keymap" {
            if let problem = SectionKind.problem(of: section, among: Self.kinds) {
                found.append(problem)
                continue
            }
            var reader = SectionReader(section)
            if section.kind == "device" {
                readDevice(&reader)
            } else if let rule = readInput(&reader) {
                Self.put(rule.rule, named: rule.name, into: &inputRules, &reader)
            }
            reader.finish()
            found += reader.problems
        }
        problems += found.byLine()
    }

    /// The rules with the keys of their keymaps, as these are after the last file.
    var resolvedInputRules: [DeviceTable.Rule<InputMatch, InputProfile>] {
        inputRules.map { rule in
            guard var profile = rule.profile else { return rule }
            var rule = rule
            profile.mapping.keys = profile.mapping.keymaps.flatMap { name in
                keymaps.first { $0.name == name }?.keys ?? []
            }
            rule.profile = profile
            return rule
        }
    }

    private mutating func readKeymap(_ section: INISection) -> [ConfigurationProblem] {
        if let problem = SectionKind.problem(of: section, among: Self.kinds) { return [problem] }
        var reader = SectionReader(section)
        guard let keymap = Keymap.read(&reader) else { return reader.problems }
        keymaps.removeAll { $0.name == keymap.name }
        if keymaps.count < Keymap.maximumKeymaps {
            keymaps.append(keymap)
        } else {
            reader.refuse("a device table has at most \(Keymap.maximumKeymaps) keymaps")
        }
        return reader.problems
    }

    /// What both kinds of rule have: the head of a rule.
    struct Head {
        let name: String
        let isEnabled: Bool
        let priority: Int
        /// `.some(nil)` is `none`: leave the device alone. `nil` is missing or wrong.
        let kind: DeviceKind??
        let namePrefix: String?
    }

    private static let usbKinds = DeviceKind.allCases.filter { !inputKinds.contains($0) }
    static let inputKinds: [DeviceKind] = [.knob, .touchpad, .touchscreen, .keys]

    func readHead(_ reader: inout SectionReader, kinds: [DeviceKind]) -> Head {
        let name = reader.section.name ?? ""
        if !DisplayDescription.isName(name) {
            reader.refuse("a rule's name has 1 to 32 letters, digits, '-', '_' or '.'")
        }
        let enabled = reader.value("enabled", ConfigurationValue.bool) ?? true
        let priority = reader.value("priority") { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.integer(text, in: 0...1_000)
        }
        let parseKind = { (text: String) throws(ConfigurationValueError) -> DeviceKind? in
            try Self.kind(text, among: kinds)
        }
        // A rule that is switched off needs to say nothing else.
        let kind = enabled ? reader.required("kind", parseKind) : reader.value("kind", parseKind)
        let prefix = reader.value("name-prefix", Self.namePrefix)
        return Head(
            name: name, isEnabled: enabled, priority: priority ?? Self.defaultPriority, kind: kind, namePrefix: prefix)
    }

    /// What the names of devices begin with.
    static func namePrefix(_ text: String) throws(ConfigurationValueError) -> String {
        // The number of a device follows: a name has at most 32 characters.
        guard DisplayDescription.isName(text), text.utf8.count <= 24 else {
            throw ConfigurationValueError(
                "\(ConfigurationValue.quoted(text)) is not a name of 1 to 24 letters, digits, '-', '_' or '.'")
        }
        return text
    }

    static func kind(_ text: String, among kinds: [DeviceKind]) throws(ConfigurationValueError) -> DeviceKind? {
        if text == "none" { return nil }
        for kind in kinds where text == kind.rawValue || text == ConfigurationValue.word(kind.rawValue) { return kind }
        let words = kinds.map { ConfigurationValue.word($0.rawValue) } + ["none"]
        throw ConfigurationValueError(
            "\(ConfigurationValue.quoted(text)) is none of \(words.joined(separator: ", "))",
            suggestion: Spelling.nearest(to: text, among: words))
    }

    /// What names begin with when a rule does not say.
    static func prefix(of kind: DeviceKind) -> String {
        switch kind {
        case .androidPhone, .androidAccessory: "android"
        case .iPhone, .iPad, .iPod, .dongle, .headUnit, .knob, .touchpad, .touchscreen, .keys:
            ConfigurationValue.word(kind.rawValue)
        }
    }

    private mutating func readDevice(_ reader: inout SectionReader) {
        let head = readHead(&reader, kinds: Self.usbKinds)
        var match = USBMatch()
        reader.read("match-vendor", into: &match.vendors, RuleValues.ids)
        reader.read("match-product", into: &match.products, RuleValues.idRanges)
        reader.read("match-release", into: &match.releases, RuleValues.idRanges)
        reader.read("match-class", into: &match.deviceClasses, RuleValues.classes)
        reader.read("match-interface", into: &match.interfaces, RuleValues.interfaces)
        guard checkMatch(&reader, head, isEmpty: match.isEmpty) else { return }
        let profile = (head.kind ?? nil).map { kind in
            DeviceProfile(
                name: head.name, kind: kind, namePrefix: head.namePrefix ?? Self.prefix(of: kind),
                priority: head.priority, match: match)
        }
        let rule = DeviceTable.Rule(name: head.name, priority: head.priority, match: match, profile: profile)
        Self.put(head.isEnabled ? rule : nil, named: head.name, into: &usbRules, &reader)
    }

    /// Whether a rule can be made of what was read; a rule that looks at nothing would take every device.
    func checkMatch(_ reader: inout SectionReader, _ head: Head, isEmpty: Bool) -> Bool {
        guard head.isEnabled, reader.problems.isEmpty, !reader.section.isDamaged else { return reader.problems.isEmpty }
        if isEmpty { reader.refuse("the rule matches every device; give it at least one key \"match-…\"") }
        return !isEmpty
    }

    /// Replaces, adds or takes out a rule.
    private static func put<Match, Profile>(
        _ rule: DeviceTable.Rule<Match, Profile>?, named name: String,
        into rules: inout [DeviceTable.Rule<Match, Profile>], _ reader: inout SectionReader
    ) {
        // A replaced rule moves to the end, so that among equal priorities the later file wins.
        rules.removeAll { $0.name == name }
        guard let rule else { return }
        guard rules.count < DeviceTable.maximumRules else {
            reader.refuse("a device table has at most \(DeviceTable.maximumRules) rules of a kind")
            return
        }
        rules.append(rule)
    }
}

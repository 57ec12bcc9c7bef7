import RigModel

extension DeviceTableReader {
    /// A rule of a name, `nil` in it where it is to be taken out.
    struct NamedInputRule {
        let name: String
        let rule: DeviceTable.Rule<InputMatch, InputProfile>?
    }

    /// Reads `[input NAME]`; `nil` when something is wrong with it, which is noted.
    func readInput(_ reader: inout SectionReader) -> NamedInputRule? {
        let head = readHead(&reader, kinds: Self.inputKinds)
        let match = Self.readMatch(&reader)
        let axes = reader.value("axis", RuleValues.codes(EventCodes.relative)) ?? []
        let press = reader.value("press", RuleValues.codes(EventCodes.keys)) ?? []
        let mapping = readMapping(&reader)
        let part = reader.value("part", RuleValues.part) ?? .whole
        let group = reader.value("group", RuleValues.group) ?? ""
        let grabs = reader.value("grab", ConfigurationValue.bool)
        let needsChoice = reader.value("only-chosen", ConfigurationValue.bool) ?? false
        guard checkMatch(&reader, head, isEmpty: match.isEmpty) else { return nil }
        let profile = (head.kind ?? nil).map { kind in
            InputProfile(
                name: head.name, kind: kind, namePrefix: head.namePrefix ?? Self.prefix(of: kind),
                priority: head.priority, match: match, axes: axes, pressButtons: press, mapping: mapping,
                needsChoice: needsChoice, part: part, group: group, grabs: grabs)
        }
        guard checkUse(&reader, head, profile) else { return nil }
        let rule = DeviceTable.Rule(name: head.name, priority: head.priority, match: match, profile: profile)
        return NamedInputRule(name: head.name, rule: head.isEnabled ? rule : nil)
    }

    private static func readMatch(_ reader: inout SectionReader) -> InputMatch {
        var match = InputMatch()
        reader.read("match-vendor", into: &match.vendors, RuleValues.ids)
        reader.read("match-product", into: &match.products, RuleValues.idRanges)
        reader.read("match-name", into: &match.names, RuleValues.patterns)
        reader.read("match-rel", into: &match.rel, RuleValues.codes(EventCodes.relative))
        reader.read("without-rel", into: &match.withoutRel, RuleValues.codes(EventCodes.relative))
        reader.read("match-key", into: &match.key, RuleValues.codes(EventCodes.keys))
        reader.read("match-every-key", into: &match.everyKey, RuleValues.codes(EventCodes.keys))
        reader.read("without-key", into: &match.withoutKey, RuleValues.codes(EventCodes.keys))
        reader.read("match-abs", into: &match.abs, RuleValues.codes(EventCodes.absolute))
        reader.read("without-abs", into: &match.withoutAbs, RuleValues.codes(EventCodes.absolute))
        reader.read("match-property", into: &match.properties, RuleValues.codes(EventCodes.properties))
        reader.read("without-property", into: &match.withoutProperties, RuleValues.codes(EventCodes.properties))
        return match
    }

    private func readMapping(_ reader: inout SectionReader) -> InputMapping {
        var mapping = InputMapping()
        reader.read("position-axis", into: &mapping.positionAxes, RuleValues.codes(EventCodes.absolute))
        reader.read("nudge-x", into: &mapping.nudgeX, RuleValues.codes(EventCodes.absolute))
        reader.read("nudge-y", into: &mapping.nudgeY, RuleValues.codes(EventCodes.absolute))
        reader.read("high-resolution", into: &mapping.highResolution, ConfigurationValue.bool)
        reader.read("counter-range", into: &mapping.counterRange) { (text) throws(ConfigurationValueError) in
            Int32(clamping: try ConfigurationValue.integer(text, in: 2...65_536))
        }
        if let ratio = reader.value("units-per-detent", RuleValues.unitsPerDetent) {
            mapping.units = ratio.units
            mapping.detents = ratio.detents
        }
        reader.read("reversed", into: &mapping.reversed, ConfigurationValue.bool)
        reader.read("bounce", into: &mapping.bounce) { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.duration(text, in: 0...TurnLayout.maximumBounce)
        }
        reader.read("acceleration", into: &mapping.acceleration, RuleValues.acceleration)
        if let entry = reader.entry("keys") {
            mapping.keymaps =
                reader.value(of: entry) { (text) throws(ConfigurationValueError) in
                    try ConfigurationValue.list(text, atMost: 16)
                } ?? []
            for name in mapping.keymaps where !keymaps.contains(where: { $0.name == name }) {
                reader.refuse(
                    entry, "there is no keymap \(ConfigurationValue.quoted(name))",
                    suggestion: Spelling.nearest(to: name, among: keymaps.map(\.name)))
            }
        }
        reader.read("pad", into: &mapping.movesFocus, RuleValues.padMode)
        reader.read("margins", into: &mapping.mount.margins, RuleValues.margins)
        reader.read("mirrored", into: &mapping.mount.mirrored, ConfigurationValue.bool)
        reader.read("rotation", into: &mapping.mount.rotation, RuleValues.rotation)
        reader.read("covers", into: &mapping.mount.area) { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.choice(text, of: SurfaceMount.Area.self)
        }
        return mapping
    }

    /// Whether a device that fits the rule could say anything.
    private func checkUse(_ reader: inout SectionReader, _ head: Head, _ profile: InputProfile?) -> Bool {
        // An addition may be the press alone, and is nothing by itself.
        guard head.isEnabled, let profile, profile.part == .whole, !reader.section.isDamaged else { return true }
        switch profile.kind {
        case .knob:
            if !profile.axes.isEmpty || !profile.mapping.positionAxes.isEmpty || !profile.mapping.keymaps.isEmpty {
                return true
            }
            reader.refuse("a knob needs one of the keys \"axis\", \"position-axis\" and \"keys\"")
            return false
        case .keys:
            if !profile.mapping.keymaps.isEmpty { return true }
            reader.refuse("the section needs the key \"keys\"")
            return false
        case .touchpad, .touchscreen: return true
        case .iPhone, .iPad, .iPod, .androidPhone, .androidAccessory, .dongle, .headUnit: return true
        }
    }
}

import RigModel

/// Reads one `[display NAME]` and checks it as a whole.
struct DisplaySectionReader {
    private var reader: SectionReader
    private let vehicle: Vehicle
    /// Which key stands behind which field of a description, for the problems that show only in the whole.
    private var places: [(field: String, entry: INIEntry)] = []

    init(_ section: INISection, vehicle: Vehicle) {
        self.reader = SectionReader(section)
        self.vehicle = vehicle
    }

    /// What is wrong with the section.
    var problems: [ConfigurationProblem] { reader.problems }

    /// The display; makes sense only while `problems` is empty.
    mutating func read() -> DisplayDescription {
        var shape = DisplayDescription(
            name: reader.section.name ?? "", pixels: PixelSize(width: 1, height: 1), widthMillimetres: 1,
            heightMillimetres: 1, appearance: vehicle.appearance, driverSide: vehicle.driverSide,
            limitedUI: vehicle.limitedUI)
        reader.read("role", into: &shape.role, HeadUnitValues.choice)
        let pixels = reader.required("pixels", ConfigurationValue.size)
        shape.pixels = pixels ?? shape.pixels
        note("pixels", behind: "width", "height")
        reader.read("scale", into: &shape.scaleHundredths, ConfigurationValue.scale)
        note("scale", behind: "scale")
        readMillimetres(into: &shape)
        reader.read("frames-per-second", into: &shape.framesPerSecond) { (text) throws(ConfigurationValueError) in
            try ConfigurationValue.integer(text, in: 1...240)
        }
        readInputs(into: &shape)
        reader.read("appearance", into: &shape.appearance, HeadUnitValues.choice)
        reader.read("driver-side", into: &shape.driverSide, HeadUnitValues.choice)
        reader.read("limited-ui", into: &shape.limitedUI, HeadUnitValues.limitedUI)
        let areas = readViewAreas(of: shape.pixels)
        shape.viewAreas = areas
        if let entry = reader.entry("current-view-area"),
            let index = reader.value(
                of: entry,
                { (text) throws(ConfigurationValueError) in
                    try ConfigurationValue.integer(text, in: 0...DisplayDescription.maximumViewAreas - 1)
                })
        {
            shape.currentViewArea = index
            places.append(("viewArea", entry))
        }
        reader.finish(more: areaKeys())
        // Without its size nothing else about the display can be judged.
        if pixels != nil { check(shape) }
        return shape
    }

    private mutating func note(_ key: String, behind fields: String...) {
        guard let entry = reader.section.entry(key) else { return }
        places += fields.map { ($0, entry) }
    }

    private mutating func readMillimetres(into shape: inout DisplayDescription) {
        let measured = reader.value("millimetres") { (text) throws(ConfigurationValueError) -> PixelSize? in
            if text == "assumed" { return nil }
            guard let size = ConfigurationValue.pair(text) else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(text)) is neither WIDTHxHEIGHT as in 154x90 nor \"assumed\"")
            }
            guard (1...10_000).contains(size.width), (1...10_000).contains(size.height) else {
                throw ConfigurationValueError(
                    "\(ConfigurationValue.quoted(text)) is not between 1x1 and 10000x10000")
            }
            return size
        }
        if let size = measured ?? nil {
            shape.widthMillimetres = size.width
            shape.heightMillimetres = size.height
            shape.millimetresAssumed = false
        } else {
            let assumed = HeadUnitProfile.assumedMillimetres(
                pixels: shape.pixels, scaleHundredths: shape.scaleHundredths)
            shape.widthMillimetres = assumed.width
            shape.heightMillimetres = assumed.height
            shape.millimetresAssumed = true
        }
    }

    /// Inputs, the first of them, and how exact touch is: each can be left out where another says it.
    private mutating func readInputs(into shape: inout DisplayDescription) {
        let inputs = reader.value("inputs", HeadUnitValues.inputs)
        let primary: DisplayInput? = reader.value("primary-input", HeadUnitValues.choice)
        let fidelity: TouchFidelity? = reader.value("touch-fidelity", HeadUnitValues.choice)
        let listed = inputs ?? primary.map { [$0] } ?? [.touchscreen]
        shape.primaryInput = primary ?? listed.first ?? .touchscreen
        shape.inputs = DisplayInput.allCases.filter(listed.contains)
        shape.touchFidelity = fidelity ?? (shape.inputs.contains(.touchscreen) ? .high : .none)
        // The key that says it comes before the one from which it follows.
        note("primary-input", behind: "primaryInput")
        note("touch-fidelity", behind: "touchFidelity")
        note("inputs", behind: "inputs", "primaryInput", "touchFidelity")
    }

    private static let areaWords = ["view-area", "safe-area", "draws-outside-safe-area"]
    private static let areaIndices = 0..<DisplayDescription.maximumViewAreas

    /// Every key of a view area; those with a number beyond the limit are refused here, with a better word than "no such
    /// key".
    private mutating func areaKeys() -> [String] {
        var keys = Self.areaWords.flatMap { word in [word] + Self.areaIndices.map { "\(word).\($0)" } }
        for entry in reader.section.entries where !keys.contains(entry.key) {
            let parts = entry.key.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, Self.areaWords.contains(String(parts[0])), ConfigurationValue.isDecimal(parts[1])
            else { continue }
            reader.refuse(entry, "view areas are numbered from 0 to \(DisplayDescription.maximumViewAreas - 1)")
            keys.append(entry.key)
        }
        return keys
    }

    /// The entry of `word.index`; the first area may be written without its number.
    private mutating func areaEntry(_ word: String, _ index: Int) -> INIEntry? {
        let numbered = reader.section.entry("\(word).\(index)")
        guard index == 0, let plain = reader.section.entry(word) else { return numbered }
        if let numbered { reader.refuse(numbered, "the same as \"\(word)\" at line \(plain.line)") }
        return plain
    }

    private mutating func readViewAreas(of pixels: PixelSize) -> [ViewArea] {
        let whole = PixelRect(pixels)
        var areas: [ViewArea] = []
        var gap: Int?
        for index in Self.areaIndices {
            let frameEntry = areaEntry("view-area", index)
            let safeEntry = areaEntry("safe-area", index)
            let drawsEntry = areaEntry("draws-outside-safe-area", index)
            if frameEntry == nil && index > 0 {
                gap = gap ?? index
                for entry in [safeEntry, drawsEntry] {
                    if let entry { reader.refuse(entry, "there is no \"view-area.\(index)\" for it") }
                }
                continue
            }
            if let gap, let frameEntry {
                reader.refuse(frameEntry, "there is no \"view-area.\(gap)\" before it; number them without a gap")
            }
            let frame = frameEntry.flatMap { reader.value(of: $0, ConfigurationValue.rect) } ?? whole
            let safeArea = safeEntry.flatMap { reader.value(of: $0, ConfigurationValue.rect) } ?? frame
            let draws = drawsEntry.flatMap { reader.value(of: $0, ConfigurationValue.bool) } ?? true
            if let frameEntry { places.append(("viewArea.\(index)", frameEntry)) }
            if let entry = safeEntry ?? frameEntry { places.append(("viewArea.\(index).safe", entry)) }
            areas.append(ViewArea(frame: frame, safeArea: safeArea, drawsOutsideSafeArea: draws))
        }
        return areas
    }

    /// What shows only when all keys are read, told at the key that stands behind the field.
    private mutating func check(_ shape: DisplayDescription) {
        // What follows from the default of a key that was wrong by itself would only confuse.
        let told = reader.problems.compactMap(\.key)
        for problem in shape.problems() {
            let entries = places.filter { $0.field == problem.field }.map(\.entry)
            if entries.contains(where: { told.contains($0.key) }) { continue }
            if let entry = entries.first {
                reader.refuse(entry, problem.text)
            } else {
                reader.refuse("\(problem.field): \(problem.text)")
            }
        }
    }
}

internal import RigModel
internal import ScenarioCore

/// What a scenario is run with, from the parameters of `Run`.
enum ScenarioTranslation {
    static func options(_ fields: CallFields) throws(CommandFailure) -> ScenarioOptions {
        let includes = fields.objects("includes")
        guard includes.count <= IncludedFile.maximumCount else {
            throw .invalidParameter(
                "includes", text: "at most \(IncludedFile.maximumCount) files in one call, not \(includes.count)")
        }
        var values: [ParameterValue] = []
        for (place, value) in fields.objects("values").enumerated() {
            let assignment = "\(value.string("name") ?? "")=\(value.string("value") ?? "")"
            guard let value = ParameterValue(assignment: assignment) else {
                throw .invalidParameter(
                    "values.\(place)",
                    text: "a name is a letter, then letters, digits, '-' or '_', at most 32; a value has at most "
                        + "\(ParameterValue.maximumBytes) bytes in one line")
            }
            values.append(value)
        }
        return ScenarioOptions(
            includes: includes.map { IncludedFile(name: $0.string("name") ?? "", text: $0.string("text") ?? "") },
            values: values, seed: try fields.int("seed", in: 0...Int.max).map { UInt64($0) },
            row: try fields.int("row", in: 1...ScenarioRow.maximumCount),
            runsPrograms: fields.bool("runsPrograms") ?? false)
    }
}

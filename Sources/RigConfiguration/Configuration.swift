/// Everything that the rig is told by files, checked as a whole.
public struct Configuration: Equatable, Sendable {
    /// What `dashrig.ini` and its drop-ins say.
    public let settings: RigSettings
    /// The head-unit profiles that there are.
    public let headUnits: HeadUnitCatalog
    /// How devices are recognised.
    public let devices: DeviceTable
    /// The kinds of controllers on CAN buses.
    public let can: CANTable
    /// The head-unit profile that `settings` names.
    public let headUnit: HeadUnitProfile

    /// What holds without any file.
    public static let shipped: Configuration = {
        do throws(ConfigurationError) {
            return try parse()
        } catch {
            preconditionFailure("the shipped configuration is wrong:\n\(error)")
        }
    }()

    /// Reads the four kinds of files, each in its order. Throws every problem of every file, also that the settings
    /// name a head-unit profile or a controller that does not exist.
    public static func parse(
        settings settingsFiles: [ConfigurationFile] = [], headUnits headUnitFiles: [ConfigurationFile] = [],
        devices deviceFiles: [ConfigurationFile] = [], can canFiles: [ConfigurationFile] = []
    ) throws(ConfigurationError) -> Configuration {
        var problems: [ConfigurationProblem] = []
        var reader = RigSettingsReader()
        for file in settingsFiles { reader.read(file) }
        reader.checkTogether()
        problems += reader.problems
        var catalog: HeadUnitCatalog?
        do throws(ConfigurationError) {
            catalog = try HeadUnitCatalog.parse(headUnitFiles)
        } catch {
            problems += error.problems
        }
        var table: DeviceTable?
        do throws(ConfigurationError) {
            table = try DeviceTable.parse(deviceFiles)
        } catch {
            problems += error.problems
        }
        var can: CANTable?
        do throws(ConfigurationError) {
            can = try CANTable.parse(canFiles)
        } catch {
            problems += error.problems
        }
        if let can { problems += Self.problems(of: reader.settings.input.can, in: can, at: reader.can) }
        var headUnit: HeadUnitProfile?
        // While a profile's file has problems, its profile is missing for a reason that has been told.
        if let catalog {
            do throws(UnknownProfile) {
                headUnit = try catalog.profile(named: reader.settings.headUnitProfile)
            } catch {
                problems.append(problem(of: error, at: reader.headUnit))
            }
        }
        guard problems.isEmpty, let catalog, let table, let can, let headUnit else {
            throw ConfigurationError(problems)
        }
        return Configuration(
            settings: reader.settings, headUnits: catalog, devices: table, can: can, headUnit: headUnit)
    }

    private static func problems(
        of choices: [CANChoice], in table: CANTable, at place: RigSettingsReader.Place?
    ) -> [ConfigurationProblem] {
        guard let place else { return [] }
        return choices.compactMap { choice in
            do throws(UnknownProfile) {
                _ = try table.profile(named: choice.controller)
                return nil
            } catch {
                let text =
                    "there is no CAN controller \"\(error.name)\"; there is \(error.known.joined(separator: ", "))"
                return place.section.problem(place.entry, text, suggestion: error.suggestion)
            }
        }
    }

    private static func problem(
        of error: UnknownProfile, at place: RigSettingsReader.Place?
    ) -> ConfigurationProblem {
        let text = "there is no head-unit profile \"\(error.name)\"; there is \(error.known.joined(separator: ", "))"
        guard let place else { return ConfigurationProblem(file: "dashrig.ini", line: 1, text: text) }
        return place.section.problem(place.entry, text, suggestion: error.suggestion)
    }
}

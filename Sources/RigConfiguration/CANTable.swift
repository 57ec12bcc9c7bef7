public import RigModel

/// A kind of controller on a CAN bus, and what its frames mean.
public struct CANProfile: Equatable, Sendable {
    /// Its name: `idrive-f`.
    public let name: String
    /// What it is called, for a person; may be empty.
    public let model: String
    /// What kind of input device it is.
    public let kind: DeviceKind
    /// What the names of its devices begin with.
    public let namePrefix: String
    /// The bits per second of its bus; `nil` where the table does not say. Whoever sets the interface up needs it; the rig
    /// changes no interface.
    public let bitRate: Int?
    /// What its frames mean.
    public let layout: CANLayout

    /// The facts of such a controller on an interface: `can0`.
    public func facts(on interface: String) -> DeviceFacts {
        DeviceFacts(
            kind: kind, profile: name, namePrefix: namePrefix, port: "can:\(interface)", model: model,
            origin: .observed)
    }
}

/// The kinds of controllers on CAN buses, as data. None is looked for: the settings name each with its interface.
public struct CANTable: Equatable, Sendable {
    /// The kinds in the order of reading, each name once.
    public let profiles: [CANProfile]

    /// The most kinds of a table: ours.
    public static let maximumProfiles = 128

    /// The shipped kinds alone.
    public static let shipped: CANTable = {
        do throws(ConfigurationError) {
            return try CANTable(profiles: []).adding(ShippedProfiles.can)
        } catch {
            preconditionFailure("the shipped CAN table is wrong:\n\(error)")
        }
    }()

    /// The kind of a name.
    public func profile(named name: String) throws(UnknownProfile) -> CANProfile {
        guard let profile = profiles.first(where: { $0.name == name }) else {
            throw UnknownProfile(name: name, known: profiles.map(\.name))
        }
        return profile
    }

    /// The shipped kinds with files added in their order. A section of a name that is already there replaces that kind as
    /// a whole, `enabled = no` takes it out. Throws every problem of every file.
    public static func parse(_ files: [ConfigurationFile]) throws(ConfigurationError) -> CANTable {
        try shipped.adding(files)
    }

    private func adding(_ files: [ConfigurationFile]) throws(ConfigurationError) -> CANTable {
        var reader = CANTableReader(self)
        for file in files { reader.read(file) }
        guard reader.problems.isEmpty else { throw ConfigurationError(reader.problems) }
        return CANTable(profiles: reader.profiles)
    }
}

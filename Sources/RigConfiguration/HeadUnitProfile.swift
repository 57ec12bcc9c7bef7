public import RigModel

/// The head unit that the rig plays: its displays, and how the vehicle is at the start.
public struct HeadUnitProfile: Equatable, Sendable {
    /// Its name: that in `[profile]`, else the file's.
    public var name: String
    /// One line for a list of profiles; may be empty.
    public var summary: String
    /// Who made the head unit, as it tells a phone.
    public var manufacturer: String
    /// Which model it is, as it tells a phone.
    public var model: String
    /// How the vehicle is at the start.
    public var vehicle: Vehicle
    /// What it derives from what the vehicle measures.
    public var rules: VehicleRules
    /// Its displays in the order of the file, 1 to 16; the first is where input goes when nobody names one.
    public var displays: [DisplayDescription]

    /// The most displays.
    public static let maximumDisplays = 16
    /// Micrometres that one point is taken to measure where nobody measured a display: no millimetres are published for
    /// the recommended sizes. A 7 inch panel of 800×480 pixels at @2 has 385 µm, a 12.3 inch one of 1920×720 at @3
    /// 456 µm; 400 lies between them.
    public static let assumedPointMicrometres = 400

    /// States a profile. `parse` is what checks one.
    public init(
        name: String, summary: String = "", manufacturer: String = "Dashrig", model: String = "Bench Head Unit",
        vehicle: Vehicle = Vehicle(), rules: VehicleRules = VehicleRules(), displays: [DisplayDescription]
    ) {
        self.name = name
        self.summary = summary
        self.manufacturer = manufacturer
        self.model = model
        self.vehicle = vehicle
        self.rules = rules
        self.displays = displays
    }

    /// The physical size that is assumed for a display nobody measured, in millimetres, at least 1 by 1.
    public static func assumedMillimetres(
        pixels: PixelSize, scaleHundredths: Int
    ) -> (width: Int, height: Int) {
        func side(_ count: Int) -> Int {
            let pixels = min(max(count, 1), DisplayDescription.maximumPixels)
            let divisor = min(max(scaleHundredths, 1), 10_000) * 10
            return max(1, (pixels * assumedPointMicrometres + divisor / 2) / divisor)
        }
        return (side(pixels.width), side(pixels.height))
    }
}

/// The head-unit profiles that there are.
public struct HeadUnitCatalog: Equatable, Sendable {
    /// The profiles: the shipped ones in their order, then those that were added.
    public let profiles: [HeadUnitProfile]

    /// The shipped profiles alone.
    public static let shipped: HeadUnitCatalog = {
        do throws(ConfigurationError) {
            return HeadUnitCatalog(profiles: try profiles(in: ShippedProfiles.headUnits))
        } catch {
            preconditionFailure("the shipped head-unit profiles are wrong:\n\(error)")
        }
    }()

    /// The profile of a name.
    public func profile(named name: String) throws(UnknownProfile) -> HeadUnitProfile {
        guard let profile = profiles.first(where: { $0.name == name }) else {
            throw UnknownProfile(name: name, known: profiles.map(\.name))
        }
        return profile
    }

    /// The shipped profiles with files added, one profile in each. A profile of the name of a shipped one, or of one of
    /// an earlier file, takes its place. Throws every problem of every file.
    public static func parse(_ files: [ConfigurationFile]) throws(ConfigurationError) -> HeadUnitCatalog {
        var all = shipped.profiles
        for profile in try profiles(in: files) {
            if let index = all.firstIndex(where: { $0.name == profile.name }) {
                all[index] = profile
            } else {
                all.append(profile)
            }
        }
        return HeadUnitCatalog(profiles: all)
    }

    private static func profiles(in files: [ConfigurationFile]) throws(ConfigurationError) -> [HeadUnitProfile] {
        var profiles: [HeadUnitProfile] = []
        var problems: [ConfigurationProblem] = []
        for file in files {
            do throws(ConfigurationError) {
                profiles.append(try HeadUnitProfile.parse(file))
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems) }
        return profiles
    }
}

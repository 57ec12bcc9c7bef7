internal import LinuxIO
public import RigConfiguration

/// Reads the configuration's files and hands them to those who understand them: the daemon, and commands that judge a
/// device as the daemon would.
public struct ConfigurationLoading {
    /// The file that is read when nobody names one, where it exists.
    public static let defaultPath = "/etc/dashrig/dashrig.ini"
    /// More than any configuration needs; the reader has a limit of its own, which names the line.
    static let maximumBytes = 1_048_576

    /// The settings' file. Drop-ins are the `*.ini` of `path.d`; head units and device tables are those of `head-units`
    /// and `devices` beside it, CAN controllers those of `can`.
    public let path: String
    private let isExplicit: Bool

    /// Reads a file that must be there; `nil` is the default one, where it exists.
    public init(path: String?) {
        self.path = path ?? Self.defaultPath
        isExplicit = path != nil
    }

    /// Reads the files of another root folder, and none that need be there: a path as on a machine of its own.
    public init(_ root: String, _ path: String) {
        self.path = root + path
        isExplicit = false
    }

    /// Reads everything.
    ///
    /// - Throws: every problem, one line each.
    public func load() throws(ConfigurationProblems) -> Configuration { try load(alsoDevices: []).configuration }

    /// Reads everything, and rules for devices behind all others. Names the device tables that it read, in their order.
    ///
    /// - Throws: every problem, one line each.
    public func load(
        alsoDevices others: [ConfigurationFile]
    ) throws(ConfigurationProblems) -> (configuration: Configuration, tables: [String]) {
        var problems: [String] = []
        var settings: [ConfigurationFile] = []
        if isExplicit || exists(path) {
            if let file = read(path, problems: &problems) { settings.append(file) }
        }
        settings += files(in: "\(path).d", problems: &problems)
        let headUnits = files(in: "\(folder)/head-units", problems: &problems)
        let devices = files(in: "\(folder)/devices", problems: &problems) + others
        let can = files(in: "\(folder)/can", problems: &problems)
        guard problems.isEmpty else { throw ConfigurationProblems(lines: problems) }
        do throws(ConfigurationError) {
            let configuration = try Configuration.parse(
                settings: settings, headUnits: headUnits, devices: devices, can: can)
            return (configuration, devices.map(\.name))
        } catch {
            throw ConfigurationProblems(lines: error.problems.map(\.description))
        }
    }

    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    private func exists(_ path: String) -> Bool {
        do throws(SystemError) {
            _ = try FileFacts(path: path)
            return true
        } catch {
            // Whatever else stands in the way is told when it is read.
            return error.name != "ENOENT"
        }
    }

    private func read(_ path: String, problems: inout [String]) -> ConfigurationFile? {
        do throws(FileError) {
            return ConfigurationFile(name: path, bytes: try FileContents.read(path, limit: Self.maximumBytes))
        } catch {
            problems.append("\(error)")
            return nil
        }
    }

    /// The `*.ini` of a folder in the order of their names; a folder that is not there has none.
    private func files(in folder: String, problems: inout [String]) -> [ConfigurationFile] {
        guard exists(folder) else { return [] }
        do throws(FileError) {
            return try DirectoryTree.list(folder).filter { $0.hasSuffix(".ini") }
                .compactMap { read("\(folder)/\($0)", problems: &problems) }
        } catch {
            problems.append("\(error)")
            return []
        }
    }
}

/// What is wrong with a configuration, one line for each problem.
public struct ConfigurationProblems: Error, Equatable {
    /// Never empty; where it is about a place in a file, the file and the line come first.
    public let lines: [String]
}

import RigConfiguration
import RigCore
import RigModel

/// Configuration files: what is taken can be used as it is, and what is refused has a place in its file.
///
/// Input: `s` settings, `h` head units or `d` devices, then up to three files with NULs between. Any other first byte
/// stands for settings.
enum INITarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let files = bytes.dropFirst().parts(atMost: 3).enumerated().map { index, part in
            ConfigurationFile(name: "file-\(index).ini", bytes: Array(part))
        }
        for file in files { try checkDocument(file) }
        switch bytes.first {
        case UInt8(ascii: "h"): try checkHeadUnits(files)
        case UInt8(ascii: "d"): try checkDevices(files)
        default: try checkSettings(files)
        }
    }

    private static func checkDocument(_ file: ConfigurationFile) throws(FuzzFinding) {
        let document: INIDocument
        do throws(ConfigurationError) {
            document = try INIDocument.parse(file)
        } catch {
            return try check(error, [file])
        }
        for section in document.sections {
            try require(!section.kind.isEmpty, "a section without a kind")
            for entry in section.entries {
                try require(section.entry(entry.key) == entry, "the key \(entry.key) is there twice")
            }
        }
    }

    private static func check(_ error: ConfigurationError, _ files: [ConfigurationFile]) throws(FuzzFinding) {
        try require(!error.problems.isEmpty, "an error without a problem")
        try require(error.problems.count <= ConfigurationError.maximumProblems, "too many problems")
        try require(!error.description.isEmpty, "an error without text")
        for problem in error.problems {
            try require(!problem.text.isEmpty, "a problem without text")
            guard let file = files.first(where: { $0.name == problem.file }) else {
                throw FuzzFinding("a problem in the file \(problem.file), which was not read")
            }
            let lines = file.bytes.count { $0 == 0x0A } + 1
            try require((1...lines).contains(problem.line), "line \(problem.line) of \(lines): \(problem)")
            try require(problem.column ?? 1 >= 1, "column \(String(describing: problem.column)): \(problem)")
        }
    }

    private static func checkSettings(_ files: [ConfigurationFile]) throws(FuzzFinding) {
        let settings: RigSettings
        do throws(ConfigurationError) {
            settings = try RigSettings.parse(files)
        } catch {
            return try check(error, files)
        }
        for retry in 0..<max(0, settings.handshakeRetries) {
            try require(settings.retryDelay(retry) > 0, "retry \(retry) has no pause")
        }
        for name in ["", "1-1.4", "knob", String(repeating: "a", count: 64)] {
            _ = settings.usb.ports.admits(name)
            _ = settings.input.names.admits(name)
        }
        do throws(ConfigurationError) {
            let configuration = try Configuration.parse(settings: files)
            _ = RigCore(settings: CoreSettings(configuration, version: "fuzz"))
        } catch {
            // Settings that hold by themselves may still name a head unit that there is not.
            try check(error, files)
        }
    }

    private static func checkHeadUnits(_ files: [ConfigurationFile]) throws(FuzzFinding) {
        let catalog: HeadUnitCatalog
        do throws(ConfigurationError) {
            catalog = try HeadUnitCatalog.parse(files)
        } catch {
            return try check(error, files)
        }
        for profile in catalog.profiles {
            let count = profile.displays.count
            try require(
                (1...HeadUnitProfile.maximumDisplays).contains(count), "\(profile.name) has \(count) displays")
            for display in profile.displays {
                let problems = display.problems()
                try require(problems.isEmpty, "\(profile.name)/\(display.name): \(problems)")
            }
        }
    }

    private static func checkDevices(_ files: [ConfigurationFile]) throws(FuzzFinding) {
        let table: DeviceTable
        do throws(ConfigurationError) {
            table = try DeviceTable.parse(files)
        } catch {
            return try check(error, files)
        }
        let rules = table.usbRules.count + table.inputRules.count
        try require(rules <= 2 * DeviceTable.maximumRules, "\(rules) rules")
        for device in samples {
            guard let profile = table.classify(device) else { continue }
            try require(profile.match.matches(device), "\(profile.name) does not fit what was classified as it")
        }
        for device in inputSamples {
            guard let profile = table.classify(device) else { continue }
            try require(profile.match.matches(device), "\(profile.name) does not fit what was classified as it")
            try require(profile.unitsPerDetent > 0, "\(profile.name) has \(profile.unitsPerDetent) units per detent")
        }
    }

    private static let samples = [
        USBDeviceDescription(vendor: 0x05AC, product: 0x12A8, port: "1-1"),
        USBDeviceDescription(
            vendor: 0x18D1, product: 0x2D00, port: "1-1.4",
            configurations: [
                USBConfiguration(
                    value: 1,
                    interfaces: [
                        USBInterface(
                            number: 0, function: USBClass(0xFF, 0xF0, 0),
                            endpoints: [
                                USBEndpoint(address: 0x81, attributes: 2, maxPacket: 512),
                                USBEndpoint(address: 0x02, attributes: 2, maxPacket: 512),
                            ])
                    ])
            ]),
    ]

    private static let inputSamples = [
        InputDeviceDescription(vendor: 0x077D, product: 0x0410, name: "Griffin PowerMate", key: [0x100], rel: [7, 8]),
        InputDeviceDescription(name: "wheel", key: [0x112], rel: [8, 11], abs: [0, 1]),
    ]
}

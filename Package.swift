// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Optional libraries are probed, never required (architecture, decision 6). The `make` targets pass the result of
// their own probe in DASHRIG_HAVE, because SwiftPM caches what this manifest finds on disk and does not see a package
// that was installed later; the environment is part of its cache key. DASHRIG_MINIMAL=1 treats all of them as absent.
let environment = Context.environment
let minimal = environment["DASHRIG_MINIMAL"] == "1"

func have(_ name: String, header: String) -> Bool {
    if minimal { return false }
    if let probed = environment["DASHRIG_HAVE"] { return probed.split(separator: " ").contains(Substring(name)) }
    return FileManager.default.fileExists(atPath: header)
}

let haveUMockdev = have("umockdev", header: "/usr/include/umockdev-1.0/umockdev.h")
let haveCrypto = have("crypto", header: "/usr/include/openssl/evp.h")
let haveYAML = have("yaml", header: "/usr/include/yaml.h")

let common: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: common)
}

func program(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: common)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], _ settings: [SwiftSetting] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: common + settings)
}

let uMockdev: [SwiftSetting] = haveUMockdev ? [.define("HAVE_UMOCKDEV")] : []
let crypto: [SwiftSetting] = haveCrypto ? [.define("HAVE_CRYPTO")] : []
let yaml: [SwiftSetting] = haveYAML ? [.define("HAVE_YAML")] : []

var targets: [Target] = [
    .systemLibrary(name: "CLibUSB", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
    .systemLibrary(name: "CUdev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .systemLibrary(name: "CLinux"),

    // Pure: values in, values out; no clock, file, socket or randomness.
    library("WireBytes"),
    library("LinkProtocol", ["WireBytes"]),
    library("ControlProtocol", ["WireBytes"]),
    library("HIDReports"),
    library("CaptureFormat"),
    library("RigModel"),
    library("RigConfiguration", ["RigModel"]),
    library("InputCore", ["HIDReports", "RigModel"]),
    library("EvemuFormat", ["RigModel"]),
    library("VirtualInput", ["EvemuFormat", "RigConfiguration", "RigModel"]),
    library("ScenarioCore", ["RigModel"]),
    library(
        "RigCore",
        [
            "WireBytes", "LinkProtocol", "ControlProtocol", "HIDReports", "RigModel", "RigConfiguration", "InputCore",
            "ScenarioCore",
        ]),
    library("RigSimulation", ["RigCore", "RigModel", "ScenarioCore"]),
    library("VarlinkProtocol"),

    // Edges: the only places that touch the kernel or a library.
    library("LinuxIO", ["CLinux"]),
    library("ServiceManager", ["LinuxIO"]),
    library("DeviceMonitor", ["LinuxIO", "CUdev", "RigModel"]),
    library("USBTransport", ["LinuxIO", "CLibUSB", "RigModel"]),
    library("EvdevInput", ["LinuxIO", "CLinux", "RigModel"]),
    library("CANInput", ["LinuxIO", "CLinux", "RigModel"]),
    library("ConfigurationFiles", ["LinuxIO", "RigConfiguration"]),
    library("UinputDevice", ["LinuxIO", "CLinux", "RigModel", "VirtualInput"]),
    .target(
        name: "Credentials",
        dependencies: ["LinuxIO", "ControlProtocol"] + (haveCrypto ? ["CCrypto"] : []),
        exclude: haveCrypto ? [] : ["LibCrypto"],
        swiftSettings: common + crypto),
    .target(
        name: "LibinputFormat", dependencies: ["RigModel"] + (haveYAML ? ["CYAML"] : []), swiftSettings: common + yaml),
    library(
        "DashrigDaemon",
        [
            "RigCore", "RigModel", "RigConfiguration", "InputCore", "ScenarioCore", "VarlinkProtocol", "LinuxIO",
            "ServiceManager", "DeviceMonitor", "USBTransport", "EvdevInput", "CANInput", "ControlProtocol",
            "Credentials", "ConfigurationFiles",
        ]),
    library("DashrigClient", ["VarlinkProtocol", "RigModel", "LinuxIO"]),
    library(
        "DashrigCommands",
        [
            "DashrigClient", "VarlinkProtocol", "RigModel", "RigConfiguration", "ScenarioCore", "LinuxIO", "WireBytes",
            "LinkProtocol", "ControlProtocol", "CaptureFormat", "HIDReports", "InputCore", "EvemuFormat",
            "LibinputFormat", "EvdevInput", "CANInput", "ConfigurationFiles", "VirtualInput", "UinputDevice",
            "RigCore", "RigSimulation",
        ]),
    program("dashrigd", ["DashrigDaemon"]),
    program("dashrig", ["DashrigCommands"]),

    // Test kits and the programs that only tests run.
    .target(name: "CFIFOSeek"),
    .target(
        name: "DeviceTestKit",
        dependencies: ["CFIFOSeek", "CLinux", "LinuxIO"] + (haveUMockdev ? ["CUMockdev"] : []),
        swiftSettings: common + uMockdev),
    library("ClientTestKit", ["DashrigClient", "VarlinkProtocol", "RigModel", "LinuxIO"]),
    library(
        "RigTestKit",
        [
            "WireBytes", "LinkProtocol", "ControlProtocol", "RigModel", "RigConfiguration", "RigCore", "RigSimulation",
            "ScenarioCore",
        ]),
    program(
        "varlink-certification", ["DashrigDaemon", "LinuxIO", "ServiceManager", "VarlinkProtocol"],
        path: "Tests/CertificationProgram"),

    // Fuzzing: the targets are built always, because `swift test` replays the kept inputs; the program only for
    // `Scripts/fuzz`, which asks for it below.
    .target(
        name: "FuzzTargets",
        dependencies: [
            "WireBytes", "LinkProtocol", "ControlProtocol", "HIDReports", "RigModel", "RigConfiguration", "InputCore",
            "ScenarioCore", "RigCore", "VarlinkProtocol", "DeviceMonitor", "EvdevInput", "EvemuFormat", "VirtualInput",
            "RigTestKit",
            "DashrigCommands",
        ], path: "Fuzz/Targets", swiftSettings: common),
    tests("FuzzReplayTests", ["FuzzTargets", "RigTestKit"]),

    tests("WireBytesTests", ["WireBytes"]),
    tests("LinkProtocolTests", ["LinkProtocol", "WireBytes", "RigTestKit"]),
    tests("ControlProtocolTests", ["ControlProtocol", "LinkProtocol", "WireBytes", "RigTestKit"]),
    tests("HIDReportsTests", ["HIDReports", "WireBytes", "RigTestKit"]),
    tests("CaptureFormatTests", ["CaptureFormat"]),
    tests("RigModelTests", ["RigModel"]),
    tests("RigConfigurationTests", ["RigConfiguration", "RigModel"]),
    tests("InputCoreTests", ["InputCore", "EvemuFormat", "HIDReports", "RigConfiguration", "RigModel"]),
    tests("EvemuFormatTests", ["EvemuFormat", "RigModel"]),
    tests("LibinputFormatTests", ["LibinputFormat", "RigModel"], yaml),
    tests("VirtualInputTests", ["VirtualInput", "EvemuFormat", "InputCore", "RigConfiguration", "RigModel"]),
    tests("UinputDeviceTests", ["UinputDevice", "VirtualInput", "ClientTestKit", "LinuxIO", "RigModel"]),
    tests("ScenarioCoreTests", ["ScenarioCore", "RigModel"]),
    tests(
        "RigCoreTests",
        [
            "RigCore", "RigModel", "RigConfiguration", "ControlProtocol", "InputCore", "LinkProtocol", "HIDReports",
            "WireBytes", "RigTestKit", "ScenarioCore",
        ]),
    tests(
        "RigSimulationTests",
        ["RigSimulation", "RigCore", "RigModel", "RigConfiguration", "ScenarioCore", "RigTestKit", "LinkProtocol"]),
    tests("DashrigClientTests", ["DashrigClient", "ClientTestKit", "VarlinkProtocol", "RigModel", "LinuxIO"]),
    tests(
        "DashrigCommandsTests",
        [
            "DashrigCommands", "dashrig", "DashrigClient", "ClientTestKit", "VarlinkProtocol", "RigModel",
            "RigConfiguration", "ScenarioCore", "LinuxIO", "WireBytes", "LinkProtocol", "ControlProtocol", "InputCore",
            "EvemuFormat", "VirtualInput", "CANInput",
        ], yaml),
    tests("VarlinkProtocolTests", ["VarlinkProtocol"]),
    tests(
        "DashrigDaemonTests",
        [
            "DashrigDaemon", "Credentials", "DeviceTestKit", "RigTestKit", "dashrigd", "dashrig", "LinkProtocol",
            "ControlProtocol", "VarlinkProtocol", "RigConfiguration", "RigModel", "LinuxIO",
        ]),
    tests("LinuxIOTests", ["LinuxIO", "CLinux", "ServiceManager"]),
    tests("CredentialsTests", ["Credentials", "ControlProtocol", "ClientTestKit", "LinuxIO"], crypto),
    tests("DeviceMonitorTests", ["DeviceMonitor", "DeviceTestKit", "LinuxIO", "RigModel"]),
    tests("USBTransportTests", ["USBTransport", "DeviceTestKit", "LinuxIO", "RigModel"]),
    tests("CANInputTests", ["CANInput", "LinuxIO", "RigModel"]),
    tests("EvdevInputTests", ["EvdevInput", "InputCore", "DeviceTestKit", "LinuxIO", "RigModel"]),
]

if haveUMockdev {
    targets.append(
        .systemLibrary(
            name: "CUMockdev", pkgConfig: "umockdev-1.0", providers: [.apt(["libumockdev-dev", "umockdev"])]))
}

// Loaded with dlopen at their first use: only their headers are needed here, and nothing links them.
if haveCrypto || haveYAML { targets.append(.target(name: "CLibraryTable")) }
if haveCrypto { targets.append(.target(name: "CCrypto", dependencies: ["CLibraryTable"])) }
if haveYAML { targets.append(.target(name: "CYAML", dependencies: ["CLibraryTable"])) }

// libFuzzer brings a driver that only links with the sanitizers that `Scripts/fuzz` switches on.
if environment["DASHRIG_FUZZ"] == "1" {
    targets += [
        .systemLibrary(name: "CFuzz", path: "Fuzz/CFuzz"),
        program("dashrig-fuzz", ["FuzzTargets", "CFuzz"], path: "Fuzz/Program"),
    ]
}

// Preloaded into programs that tests run on mock devices; nothing else links it.
var products: [Product] = [
    .library(name: "FIFOSeek", type: .dynamic, targets: ["CFIFOSeek"]),
    .library(name: "DashrigClient", targets: ["DashrigClient", "RigModel"]),
]

// Only `Scripts/bench` builds the benchmarks: they bring a malloc of their own, which counts.
if environment["DASHRIG_BENCHMARKS"] == "1" {
    targets += [
        .target(name: "CBenchmarks", path: "Benchmarks/CBenchmarks"),
        .target(name: "CInputLoad", path: "Benchmarks/CInputLoad"),
        .target(name: "CPreload", path: "Benchmarks/CPreload"),
        .executableTarget(name: "bench-forwarder", path: "Benchmarks/Forwarder"),
        program(
            "dashrig-benchmarks",
            [
                "WireBytes", "LinkProtocol", "ControlProtocol", "Credentials", "DeviceTestKit", "LinuxIO", "InputCore",
                "RigModel", "RigConfiguration", "RigCore", "RigTestKit", "CBenchmarks", "CInputLoad",
            ],
            path: "Benchmarks/Program"),
    ]
    // Preloaded into the programs that are measured.
    products.append(.library(name: "BenchmarkPreload", type: .dynamic, targets: ["CPreload"]))
}

let package = Package(
    name: "dashrig",
    products: products,
    targets: targets,
    swiftLanguageModes: [.v6]
)

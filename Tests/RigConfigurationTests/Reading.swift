import Foundation
import RigConfiguration
import RigModel
import Testing

/// Runs `body`, which must fail with a configuration error, and returns its problems as the lines a person reads.
func problems(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
    do {
        try body()
        Issue.record("nothing was refused", sourceLocation: sourceLocation)
        return []
    } catch let error as ConfigurationError {
        return error.problems.map(\.description)
    } catch {
        Issue.record("another error: \(error)", sourceLocation: sourceLocation)
        return []
    }
}

/// Where the repository begins.
let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// A device of `Tests/Fixtures/devices`; the first is the device, the second its root hub.
func recordedDevice(_ name: String, index: Int = 0, activeConfiguration: UInt8? = nil) throws -> USBDeviceDescription {
    let file = repository.appendingPathComponent("Tests/Fixtures/devices/\(name).umockdev")
    let text = try String(contentsOf: file, encoding: .utf8)
    let prefix = "H: descriptors="
    let lines = text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
    let digits = Array(lines[index].dropFirst(prefix.count))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return USBDeviceDescription(
        descriptors: try USBDescriptors.parse(bytes), port: "1-1", activeConfiguration: activeConfiguration)
}

/// Numbers that look random and are the same for the same seed (splitmix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

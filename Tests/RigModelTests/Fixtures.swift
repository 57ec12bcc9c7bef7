import Foundation

/// Reads the recorded devices of `Tests/Fixtures/devices`.
enum Fixtures {
    static let names = [
        "aoa-2d00", "aoa-adb-2d01", "carlinkit-1314-1520", "carlinkit-1314-1521", "iphone-12a8",
        "iphone-12a8-valeria", "pixel-mtp-4ee1",
    ]

    /// Every `descriptors` attribute of a recording, in the order of the file: the device first, then its root hub.
    static func descriptors(_ name: String, file: String = #filePath) throws -> [[UInt8]] {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: folder.appendingPathComponent("Fixtures/devices/\(name).umockdev"), encoding: .utf8)
        let prefix = "H: descriptors="
        return text.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map { bytes($0.dropFirst(prefix.count)) }
    }

    /// Hexadecimal digits, spaces allowed, as bytes.
    static func bytes(_ hex: some StringProtocol) -> [UInt8] {
        let digits = Array(hex.filter { !$0.isWhitespace })
        return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }
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

public import LinuxIO

/// A recorded or synthesised USB device in umockdev's text form: blocks of a syspath with properties and attributes.
public struct DeviceFixture: Sendable {
    /// One block: a line `P:` with the path below /sys, and the lines after it.
    struct Block: Sendable {
        var path: String
        var lines: [String]

        /// The value of an `A:` line, without the trailing newline escape.
        func attribute(_ name: String) -> String? { value("A: \(name)=") }

        /// The bytes of an `H:` line.
        func bytes(_ name: String) -> [UInt8]? {
            guard let text = value("H: \(name)=") else { return nil }
            let digits = Array(text.utf8)
            if digits.count % 2 != 0 { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
                guard let byte = UInt8(pair, radix: 16) else { return nil }
                bytes.append(byte)
            }
            return bytes
        }

        private func value(_ prefix: String) -> String? {
            guard let line = lines.first(where: { $0.hasPrefix(prefix) }) else { return nil }
            let text = line.dropFirst(prefix.count)
            return text.hasSuffix("\\n") ? String(text.dropLast(2)) : String(text)
        }

        var text: String { "P: \(path)\n" + lines.map { $0 + "\n" }.joined() + "\n" }
    }

    /// What the fixture is called.
    public let name: String
    let blocks: [Block]

    /// Where the fixtures are: `Tests/Fixtures/devices` of this repository.
    public static let folder: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/") + "/Tests/Fixtures/devices"
    }()

    /// Reads a fixture by its name without the ending: `iphone-12a8`.
    public static func load(_ name: String) throws(FileError) -> DeviceFixture {
        let bytes = try FileContents.read("\(folder)/\(name).umockdev", limit: 1 << 20)
        return DeviceFixture(name: name, text: String(decoding: bytes, as: UTF8.self))
    }

    /// Every fixture's name, in order.
    public static func names() throws(FileError) -> [String] {
        try DirectoryTree.list(folder).filter { $0.hasSuffix(".umockdev") }.map { String($0.dropLast(9)) }
    }

    /// Reads a text.
    public init(name: String, text: String) {
        self.name = name
        var blocks: [Block] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            if line.hasPrefix("P: ") {
                blocks.append(Block(path: String(line.dropFirst(3)), lines: []))
            } else if !blocks.isEmpty {
                blocks[blocks.count - 1].lines.append(String(line))
            }
        }
        self.blocks = blocks
    }

    /// The device itself: the block of the longest path that is a `usb_device`.
    var device: Block? {
        blocks.filter { $0.lines.contains("E: DEVTYPE=usb_device") }.max { $0.path.count < $1.path.count }
    }

    /// Its interfaces, by path.
    var interfaces: [Block] {
        blocks.filter { $0.lines.contains("E: DEVTYPE=usb_interface") }.sorted { $0.path < $1.path }
    }

    /// The root hub above it.
    var rootHub: Block? {
        blocks.filter { $0.lines.contains("E: DEVTYPE=usb_device") }.min { $0.path.count < $1.path.count }
    }

    /// The same device at another port and with another number, and the serial replaced when one is given.
    func moved(to port: String, device number: UInt16, serial: String?) -> DeviceFixture {
        func moved(_ block: Block) -> Block {
            var block = block
            block.path = block.path.replacing("/1-1:", with: "/\(port):").replacing("/1-1", with: "/\(port)")
            block.lines = block.lines.map { line in
                switch line {
                case "N: bus/usb/001/002": return "N: \(USBNode.name(number))"
                case "E: DEVNAME=/dev/bus/usb/001/002": return "E: DEVNAME=/dev/\(USBNode.name(number))"
                case "E: DEVNUM=002": return "E: DEVNUM=\(USBNode.digits(number))"
                case "E: MINOR=1": return "E: MINOR=\(number - 1)"
                case "A: devnum=2\\n": return "A: devnum=\(number)\\n"
                case "A: dev=189:1\\n": return "A: dev=189:\(number - 1)\\n"
                case "A: devpath=1\\n": return "A: devpath=\(port.split(separator: "-").last ?? "1")\\n"
                default:
                    if let serial, line.hasPrefix("E: ID_SERIAL_SHORT=") { return "E: ID_SERIAL_SHORT=\(serial)" }
                    if let serial, line.hasPrefix("A: serial=") { return "A: serial=\(serial)\\n" }
                    return line
                }
            }
            return block
        }
        let hub = rootHub?.path
        return DeviceFixture(name: name, blocks: blocks.map { $0.path == hub ? $0 : moved($0) })
    }

    /// The same device with another configuration in use; 0 for none.
    public func configured(_ value: UInt8) -> DeviceFixture {
        let path = device?.path
        return DeviceFixture(
            name: name,
            blocks: blocks.map { block in
                guard block.path == path else { return block }
                var block = block
                block.lines = block.lines.map { line in
                    // What the kernel shows for none is an empty line.
                    line.hasPrefix("A: bConfigurationValue=")
                        ? "A: bConfigurationValue=\(value == 0 ? "" : String(value))\\n" : line
                }
                return block
            })
    }

    private init(name: String, blocks: [Block]) {
        self.name = name
        self.blocks = blocks
    }
}

/// How USB nodes are called.
enum USBNode {
    static func digits(_ number: UInt16) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 3 - text.count)) + text
    }

    static func name(_ number: UInt16) -> String { "bus/usb/001/\(digits(number))" }
}

import RigConfiguration
import RigModel

/// Any bytes as USB descriptors: what parses is classified by the shipped table, and what is refused has a place.
enum DescriptorsTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let parsed: USBDescriptors
        do throws(USBDescriptorError) {
            parsed = try USBDescriptors.parse(bytes)
        } catch {
            return try check(error, bytes.count)
        }
        for remark in parsed.remarks { try check(remark, bytes.count) }
        try require(parsed.configurations.count <= USBDescriptors.maximumConfigurations, "too many configurations")
        let interfaces = parsed.configurations.flatMap(\.interfaces)
        // Each interface has nine bytes, each endpoint seven.
        let size = interfaces.reduce(0) { $0 + 9 + 7 * $1.endpoints.count }
        try require(size <= bytes.count, "\(size) bytes of interfaces in \(bytes.count) bytes")
        for interface in interfaces {
            try require(
                interface.bulkPair.map { $0.input.isIn && !$0.output.isIn } ?? true, "a bulk pair goes one way")
        }
        try classify(parsed)
    }

    private static func check(_ error: USBDescriptorError, _ count: Int) throws(FuzzFinding) {
        try require(!error.description.isEmpty, "an error without text")
        switch error {
        case .tooLarge(let size): try require(size == count, "\(size) bytes of \(count)")
        case .truncated(let offset, let needed, let left):
            try require(offset <= count && left <= count - offset && needed > left, "\(error)")
        case .unexpectedType(let offset, _, _), .badLength(let offset, _, _), .tooManyConfigurations(let offset, _),
            .trailing(let offset, _):
            try require(offset < count, "\(error)")
        }
    }

    private static func classify(_ parsed: USBDescriptors) throws(FuzzFinding) {
        let device = USBDeviceDescription(
            descriptors: parsed, serial: "0123456789", port: "1-1",
            activeConfiguration: parsed.configurations.last?.value)
        guard let profile = DeviceTable.shipped.classify(device) else { return }
        try require(profile.match.matches(device), "\(profile.name) does not fit what was classified as it")
        let facts = profile.facts(of: device)
        try require(facts.vendor == parsed.vendor && facts.product == parsed.product, "the facts have other ids")
        guard let reference = profile.interface(of: device) else { return }
        try require(
            parsed.configurations.contains {
                $0.value == reference.configuration && $0.interfaces.contains(reference.interface)
            }, "\(profile.name) is to be opened at an interface that it has not")
    }
}

internal import RigModel

/// The `descriptors` attribute: the device descriptor and behind it every configuration, whole.
enum DescriptorBlob {
    /// The configurations, or `nil` when bytes are missing or the lengths contradict each other.
    static func configurations(_ bytes: [UInt8]?) -> [USBConfiguration]? {
        guard let bytes, bytes.count >= 18, bytes[0] == 18, bytes[1] == 1 else { return nil }
        var configurations: [USBConfiguration] = []
        var offset = 18
        while offset < bytes.count {
            guard bytes.count - offset >= 9, bytes[offset + 1] == 2 else { return nil }
            let total = Int(bytes[offset + 2]) | Int(bytes[offset + 3]) << 8
            guard total >= 9, total <= bytes.count - offset else { return nil }
            guard let configuration = configuration(bytes[offset..<offset + total]) else { return nil }
            configurations.append(configuration)
            offset += total
        }
        return configurations.count == Int(bytes[17]) ? configurations : nil
    }

    private static func configuration(_ bytes: ArraySlice<UInt8>) -> USBConfiguration? {
        var configuration = USBConfiguration(value: bytes[bytes.startIndex + 5], interfaces: [])
        var offset = bytes.startIndex
        while offset < bytes.endIndex {
            let length = Int(bytes[offset])
            guard length >= 2, length <= bytes.endIndex - offset else { return nil }
            let part = bytes[offset..<offset + length]
            switch part[offset + 1] {
            case 4 where length >= 9:
                configuration.interfaces.append(
                    USBInterface(
                        number: part[offset + 2], alternate: part[offset + 3],
                        function: USBClass(part[offset + 5], part[offset + 6], part[offset + 7])))
            case 5 where length >= 7 && !configuration.interfaces.isEmpty:
                let size = UInt16(part[offset + 4]) | UInt16(part[offset + 5]) << 8
                configuration.interfaces[configuration.interfaces.count - 1].endpoints.append(
                    USBEndpoint(address: part[offset + 2], attributes: part[offset + 3], maxPacket: size & 0x7FF))
            default: break
            }
            offset += length
        }
        return configuration
    }
}

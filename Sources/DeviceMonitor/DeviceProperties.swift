/// The udev properties of a device as they were at its last event: a sorted list of names with values.
public struct DeviceProperties: Equatable, Sendable {
    /// One property.
    public struct Property: Equatable, Sendable {
        /// Its name: `ID_SERIAL_SHORT`.
        public let name: String
        /// Its text, as udev gives it.
        public let value: String
    }

    /// The properties, sorted by name, each name once.
    public let list: [Property]

    /// Sorts properties and leaves out what belongs to the event instead of the device (ACTION, SEQNUM, SYNTH_*), and
    /// the tag and link lists, whose order differs from message to message. Of two equal names the last counts.
    public init(_ pairs: [(name: String, value: String)]) {
        var list: [Property] = []
        list.reserveCapacity(pairs.count)
        for pair in pairs where !Self.isVolatile(pair.name) {
            let index = Self.position(of: pair.name, in: list)
            let property = Property(name: pair.name, value: pair.value)
            if index < list.count && list[index].name == pair.name {
                list[index] = property
            } else {
                list.insert(property, at: index)
            }
        }
        self.list = list
    }

    /// A property's text, or `nil` when the device has none of this name.
    public subscript(name: String) -> String? {
        let index = Self.position(of: name, in: list)
        return index < list.count && list[index].name == name ? list[index].value : nil
    }

    private static func isVolatile(_ name: String) -> Bool {
        switch name {
        case "ACTION", "SEQNUM", "TAGS", "CURRENT_TAGS", "DEVLINKS", "UDEV_DATABASE_VERSION": true
        default: name.hasPrefix("SYNTH_")
        }
    }

    private static func position(of name: String, in list: [Property]) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

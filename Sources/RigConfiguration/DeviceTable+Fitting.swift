public import RigModel

extension DeviceTable {
    /// The names of every rule that fits an evdev device, the one that decides first: by priority, of equal ones the
    /// later. For a person who wonders why another rule than theirs was taken.
    public func fitting(_ device: InputDeviceDescription) -> [String] {
        inputRules.indices.filter { inputRules[$0].match.matches(device) }
            .sorted { (inputRules[$0].priority, $0) > (inputRules[$1].priority, $1) }
            .map { inputRules[$0].name }
    }
}

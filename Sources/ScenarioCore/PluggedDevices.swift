import RigModel

/// The devices that a run plugged in and that are not gone yet.
struct PluggedDevices: Sendable {
    /// One of them.
    struct Entry: Equatable, Sendable {
        let reference: DeviceReference
        /// It stays when the run ends.
        let isKept: Bool
        /// Its `plug` step, for messages.
        let step: Int
        /// It was told to go; it is gone when its `device.detached` comes.
        var isLeaving = false
        /// The number of the teardown's own `unplug`.
        var teardownStep: Int?
    }

    /// In the order in which they were plugged.
    private(set) var entries: [Entry] = []
    private var nextStep: Int

    /// Numbers the teardown's commands from `firstStep` on.
    init(firstStep: Int) { nextStep = firstStep }

    /// Those that must go before the run is over.
    var leftover: [Entry] { entries.filter { !$0.isKept || $0.isLeaving } }

    /// The rig plugged one in; a name that returns stands for its new generation only.
    mutating func plugged(_ device: Device, isKept: Bool, step: Int) {
        entries.removeAll { $0.reference.name == device.name }
        entries.append(Entry(reference: device.reference, isKept: isKept, step: step))
    }

    /// The rig took an `unplug`.
    mutating func unplugged(_ name: String) {
        for place in entries.indices where entries[place].reference.name == name { entries[place].isLeaving = true }
    }

    /// Its `device.detached` came.
    mutating func gone(_ reference: DeviceReference) { entries.removeAll { $0.reference == reference } }

    /// Tells everything to go that shall not stay, last plugged first; answers the commands.
    mutating func unplugAll() -> [(command: Command, name: String, step: Int)] {
        var commands: [(command: Command, name: String, step: Int)] = []
        for place in entries.indices.reversed() where !entries[place].isKept && !entries[place].isLeaving {
            let reference = entries[place].reference
            entries[place].isLeaving = true
            entries[place].teardownStep = nextStep
            let command = Command.unplug(device: reference.name, surprise: false, generation: reference.generation)
            commands.append((command, reference.name, nextStep))
            nextStep += 1
        }
        return commands
    }

    /// The rig refused one of the teardown's commands: nothing more is awaited of that device. Answers it, unless it is
    /// simply gone already.
    mutating func refused(step: Int, _ failure: CommandFailure) -> Entry? {
        guard let place = entries.firstIndex(where: { $0.teardownStep == step }) else { return nil }
        let entry = entries.remove(at: place)
        switch failure {
        case .unknownDevice, .staleDevice: return nil
        case .unknownApp, .invalidParameter, .notPermitted, .limitReached, .busy, .deviceRefused, .methodNotImplemented:
            return entry
        }
    }
}

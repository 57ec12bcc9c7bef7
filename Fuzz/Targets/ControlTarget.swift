import ControlProtocol

/// The control channel: its messages, one machine with a peer that says anything, or two whole ends on a bad cable.
///
/// Input: one byte says which, then each part's own.
enum ControlTarget {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        switch input.int(0...3) {
        case 0: try ControlDecoding.run(&input)
        case 1: try ControlBench<AccessoryControlMachine>.runAccessory(&input)
        case 2: try ControlBench<DeviceControlMachine>.runDevice(&input)
        default: try ControlPair.run(&input)
        }
    }
}

// FuzzTargets: what the fuzz program runs on the inputs that it makes up, and what `swift test` replays on the inputs
// that are kept. Every target takes any bytes. Start at `FuzzTarget.all`.

/// Something that must never happen, seen on an input.
public struct FuzzFinding: Error, Equatable, Sendable, CustomStringConvertible {
    /// What happened, in one line.
    public let description: String

    /// States a finding.
    public init(_ description: String) { self.description = description }
}

/// One thing to fuzz: a decoder, or a machine with the operations that an input spells.
public struct FuzzTarget: Sendable {
    /// The name: of its folder of inputs, and on the command line.
    public let name: String
    /// The longest input worth trying, in bytes. Longer ones run as well.
    public let maximumLength: Int
    /// Runs one input. Throws what must not happen; a trap, a hang or a large allocation is a finding too.
    public let run: @Sendable ([UInt8]) throws(FuzzFinding) -> Void

    /// States a target.
    public init(
        name: String, maximumLength: Int, run: @escaping @Sendable ([UInt8]) throws(FuzzFinding) -> Void
    ) {
        self.name = name
        self.maximumLength = maximumLength
        self.run = run
    }

    /// Every target there is.
    public static let all: [FuzzTarget] = [
        FuzzTarget(name: "json", maximumLength: 4_096, run: JSONTarget.run),
        FuzzTarget(name: "record", maximumLength: 4_096, run: RecordTarget.run),
        FuzzTarget(name: "interface", maximumLength: 4_096, run: InterfaceTarget.run),
        FuzzTarget(name: "link", maximumLength: 1_024, run: LinkTarget.run),
        FuzzTarget(name: "channels", maximumLength: 2_048, run: ChannelsTarget.run),
        FuzzTarget(name: "control", maximumLength: 2_048, run: ControlTarget.run),
        FuzzTarget(name: "decode", maximumLength: 1_024, run: DecodeTarget.run),
        FuzzTarget(name: "ini", maximumLength: 4_096, run: INITarget.run),
        FuzzTarget(name: "evemu", maximumLength: 4_096, run: EvemuTarget.run),
        FuzzTarget(name: "virtual-input", maximumLength: 4_096, run: VirtualInputTarget.run),
        FuzzTarget(name: "hid-descriptors", maximumLength: 1_024, run: HIDDescriptorsTarget.run),
        FuzzTarget(name: "hid-reports", maximumLength: 1_024, run: HIDReportsTarget.run),
        FuzzTarget(name: "descriptors", maximumLength: 1_024, run: DescriptorsTarget.run),
        FuzzTarget(name: "scenario", maximumLength: 4_096, run: ScenarioTarget.run),
        FuzzTarget(name: "dhu", maximumLength: 1_024, run: DHUTarget.run),
        FuzzTarget(name: "track", maximumLength: 1_024, run: TrackTarget.run),
        FuzzTarget(name: "path", maximumLength: 2_048, run: PathTarget.run),
        FuzzTarget(name: "evdev", maximumLength: 1_024, run: EvdevTarget.run),
        FuzzTarget(name: "input", maximumLength: 1_024, run: InputTarget.run),
        FuzzTarget(name: "input-table", maximumLength: 4_096, run: InputTableTarget.run),
        FuzzTarget(name: "can", maximumLength: 1_024, run: CANTarget.run),
        FuzzTarget(name: "inventory", maximumLength: 512, run: InventoryTarget.run),
        FuzzTarget(name: "queue", maximumLength: 1_024, run: QueueTarget.run),
        FuzzTarget(name: "rig", maximumLength: 1_024, run: RigTarget.run),
    ]

    /// The target of a name, `nil` if there is none.
    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Throws a finding unless `condition` holds.
func require(_ condition: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
    guard condition else { throw FuzzFinding(description()) }
}

import DeviceMonitor
import EvdevInput
import InputCore
import RigConfiguration
import RigModel

/// One evdev node that the rig wants.
final class InputNode {
    let snapshot: DeviceSnapshot
    let profile: InputProfile
    let facts: DeviceFacts
    let port: String
    /// The device that it belongs to.
    let group: InputGroup
    let device: InputDeviceDescription
    /// Made anew whenever it is opened: only an open node tells the ranges of its axes.
    var decoder: InputDecoder?
    /// Which of its device's nodes it is.
    let number: Int
    /// Non-nil while it is open.
    var reader: EvdevReader?
    /// Since when.
    var openedAt: UInt64 = 0
    /// True while a job opens it.
    var isOpening = false
    /// Whether its port is ours.
    var hasClaim = false
    /// How often opening was tried since it last worked for a while.
    var tries = 0
    var nextTry: UInt64?
    var wasWarned = false

    init(
        _ snapshot: DeviceSnapshot, _ device: InputDeviceDescription, _ profile: InputProfile, port: String,
        group: InputGroup
    ) {
        number = group.nextNumber()
        self.snapshot = snapshot
        self.device = device
        self.profile = profile
        self.port = port
        self.group = group
        facts = profile.facts(of: device, port: port)
    }

    /// Whether other programs get nothing of it while it is open.
    func grabs(_ settings: RigSettings) -> Bool { profile.grabs ?? settings.input.grabs }
}

/// The nodes that are one device. It is there while one of them that is a whole is open; what adds to it is opened after
/// that and closed with it.
final class InputGroup {
    /// What the core knows of it.
    enum State {
        /// Nothing. Exits: busy, attached.
        case absent
        /// It is there under this key, but another instance has its port. Exits: attached, absent.
        case busy(key: String)
        /// It is there under this key. Exits: absent.
        case attached(key: String)
    }

    let name: String
    var state = State.absent
    /// In the order in which they came.
    var nodes: [InputNode] = []
    /// The node by whose facts its device is known, while it is.
    var maker: InputNode?
    /// Puts together what the nodes tell.
    var assembly = InputAssembly()
    /// When one of its decoders, or the assembly, wants to be called.
    var deadline: UInt64?

    init(name: String) { self.name = name }

    /// The lowest number that no node of the device has.
    func nextNumber() -> Int {
        var number = 0
        while nodes.contains(where: { $0.number == number }) { number += 1 }
        return number
    }

    /// The facts of its device: those of the node that made it, with the surface that one of its open nodes has.
    func facts(by node: InputNode) -> DeviceFacts {
        if maker == nil { maker = node }
        var facts = (maker ?? node).facts
        facts.surface = nodes.lazy.compactMap { $0.decoder?.layout.surface }.first
        return facts
    }

    /// The earliest of all deadlines of its decoders and the assembly.
    var nextDeadline: UInt64? {
        nodes.reduce(assembly.nextDeadline) { earliest, node in
            guard let next = node.decoder?.nextDeadline else { return earliest }
            return min(earliest ?? .max, next)
        }
    }

    /// The key of a device whose events count.
    var key: String? {
        switch state {
        case .attached(let key): key
        case .absent, .busy: nil
        }
    }

    var hasOpenWhole: Bool { nodes.contains { $0.profile.part == .whole && $0.reader != nil } }
}

/// A part of the rig that a run needs for itself: two runs that would change the same one would each see what the other
/// does.
public enum RigResource: Hashable, Sendable {
    /// The device of this name, whether it is plugged in or not.
    case device(String)
    /// The display of this name, as it is named: `main`, `s1/main`.
    case display(String)
    /// Which session is in front, and the input that goes there.
    case input

    /// What people see: `device phone`.
    public var text: String {
        switch self {
        case .device(let name): "device \(name)"
        case .display(let name): "display \(name)"
        case .input: "input"
        }
    }
}

extension Command {
    /// What a run that does this needs for itself; nothing for what disturbs no other run.
    public var resources: [RigResource] {
        switch self {
        case .plug(let request): request.name.map { [.device($0)] } ?? []
        case .unplug(let device, _, _), .setPhone(let device, _, _), .retry(let device, _): [.device(device)]
        case .setFront(let device): [.device(device), .input]
        case .setDisplay(let change): [.display(change.display)]
        case .inject(let injection):
            [injection.device.map(RigResource.device) ?? .input] + (injection.display.map { [.display($0)] } ?? [])
        case .send(let request): [.device(request.device)]
        case .setFault(let request): request.device.map { [.device($0)] } ?? []
        case .clearFaults(.device(let device)): [.device(device)]
        case .setVehicle, .clearFaults, .mark: []
        }
    }
}

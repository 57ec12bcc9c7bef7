import ControlProtocol
import LinkProtocol
import RigModel

extension Irregularity {
    /// One of the link's, noticed by the rig's end until somebody knows better.
    init(_ found: LinkIrregularity) {
        let party: Party =
            switch found.fault {
            case .local: .local
            case .peer: .peer
            case .transport: .device
            }
        self.init(
            layer: .link, end: .rig, rule: found.rule.rawValue, offset: found.offset, length: found.length,
            party: party, reaction: found.reaction.rawValue, text: found.reason)
    }

    /// One of the control session's, noticed by the rig's end until somebody knows better.
    init(_ found: ControlIrregularity) {
        let party: Party =
            switch found.fault {
            case .local: .local
            case .peer: .peer
            }
        self.init(
            layer: .control, end: .rig, rule: found.rule.rawValue, offset: found.offset, party: party,
            reaction: found.reaction.rawValue, text: found.description)
    }
}

import RigConfiguration
import RigModel

/// Which session is in front, and the sessions that could be.
struct FrontState: Sendable {
    /// The session in front.
    private(set) var session: SessionID?
    /// Whether somebody put it there by name; it then stays until it ends.
    private var isChosen = false
    /// The active sessions in the order in which they became active.
    private var candidates: [(id: SessionID, device: String)] = []

    /// A session became active.
    ///
    /// - Returns: whether another session is in front now.
    mutating func activated(_ id: SessionID, device: String, policy: FrontPolicy) -> Bool {
        candidates.append((id, device))
        return settle(policy)
    }

    /// A session ended.
    ///
    /// - Returns: whether another session, or none, is in front now.
    mutating func ended(_ id: SessionID, policy: FrontPolicy) -> Bool {
        candidates.removeAll { $0.id == id }
        if session == id { isChosen = false }
        return settle(policy)
    }

    /// Somebody put an active session in front.
    ///
    /// - Returns: whether another session is in front now.
    mutating func choose(_ id: SessionID) -> Bool {
        isChosen = true
        defer { session = id }
        return session != id
    }

    private mutating func settle(_ policy: FrontPolicy) -> Bool {
        if isChosen { return false }
        let best: SessionID?
        switch policy {
        case .first: best = candidates.first?.id
        case .last: best = candidates.last?.id
        case .priority(let names):
            // The first of several smallest ones is taken: the candidates stand in the order of their activation.
            best = candidates.min { rank($0.device, in: names) < rank($1.device, in: names) }?.id
        }
        defer { session = best }
        return session != best
    }

    private func rank(_ device: String, in names: [String]) -> Int { names.firstIndex(of: device) ?? names.count }
}

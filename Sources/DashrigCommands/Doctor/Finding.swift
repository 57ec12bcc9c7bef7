internal import VarlinkProtocol

/// One thing that `doctor` looked at.
struct Finding: Equatable, Sendable {
    enum State: String, Sendable, CaseIterable {
        /// As it should be.
        case ok
        /// Not needed for everything; good to know.
        case note
        /// Something will not work.
        case problem
    }

    /// What was looked at: `sockets`, `rule`, `module vhci_hcd`.
    let subject: String
    let state: State
    /// What was found.
    let text: String
    /// How to mend it.
    let mend: String?

    static func ok(_ subject: String, _ text: String) -> Finding {
        Finding(subject: subject, state: .ok, text: text, mend: nil)
    }

    static func note(_ subject: String, _ text: String, mend: String? = nil) -> Finding {
        Finding(subject: subject, state: .note, text: text, mend: mend)
    }

    static func problem(_ subject: String, _ text: String, mend: String) -> Finding {
        Finding(subject: subject, state: .problem, text: text, mend: mend)
    }

    var json: JSON {
        var object: JSONObject = [
            "subject": .string(subject), "state": .string(state.rawValue), "text": .string(text),
        ]
        object["mend"] = mend.map(JSON.string)
        return .object(object)
    }
}

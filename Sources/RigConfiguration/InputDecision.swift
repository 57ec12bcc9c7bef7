public import RigModel

/// What an evdev device is, and what else could have decided it.
public struct InputDecision: Equatable, Sendable {
    /// One rule that fits.
    public struct Fit: Equatable, Sendable, CustomStringConvertible {
        /// The rule's name.
        public let rule: String
        /// The rule's priority.
        public let priority: Int

        /// `touchpad (60)`
        public var description: String { "\(rule) (\(priority))" }
    }

    /// What it is.
    public let classification: Classification<InputProfile>
    /// The rule that decided; `nil` when none fits.
    public let deciding: Fit?
    /// The other rules that fit, those that would decide next first. Worth a line in the log: the device means something
    /// else by each of them.
    public let others: [Fit]
    /// The rule that would have decided if the device had been chosen; `nil` when no rule waits for that.
    public let needsChoice: Fit?
}

extension DeviceTable {
    /// What an evdev device is, or `nil` when it is nothing for the rig.
    ///
    /// - Parameter isChosen: whether `[input]` lists its name or its port: some rules take a device only then.
    public func classify(_ device: InputDeviceDescription, isChosen: Bool = false) -> InputProfile? {
        classification(of: device, isChosen: isChosen).profile
    }

    /// What an evdev device is, and by which rule it is nothing.
    public func classification(
        of device: InputDeviceDescription, isChosen: Bool = false
    ) -> Classification<InputProfile> {
        decision(of: device, isChosen: isChosen).classification
    }

    /// What an evdev device is, by which rule, and which others fit as well.
    public func decision(of device: InputDeviceDescription, isChosen: Bool = false) -> InputDecision {
        var fits: [(rule: Rule<InputMatch, InputProfile>, place: Int)] = []
        for (place, rule) in inputRules.enumerated() where rule.match.matches(device) { fits.append((rule, place)) }
        // Of equal priorities the later rule decides.
        fits.sort { ($0.rule.priority, $0.place) > ($1.rule.priority, $1.place) }
        func fit(_ rule: Rule<InputMatch, InputProfile>) -> InputDecision.Fit {
            InputDecision.Fit(rule: rule.name, priority: rule.priority)
        }
        let open = fits.map(\.rule).filter { isChosen || $0.profile?.needsChoice != true }
        let first = fits.first?.rule
        guard let best = open.first else {
            return InputDecision(
                classification: .unknown, deciding: nil, others: [], needsChoice: first.map(fit))
        }
        return InputDecision(
            classification: best.profile.map(Classification.candidate) ?? .ignored(rule: best.name),
            deciding: fit(best), others: open.dropFirst().map(fit),
            needsChoice: first?.name == best.name ? nil : first.map(fit))
    }
}

extension InputSettings {
    /// Whether an input device is chosen: its name or its port is listed, or the rig's own tool made it for this; and it is
    /// not left out again.
    public func chooses(name: String, port: String) -> Bool {
        let isListed =
            names.only.contains { $0.matches(name) } || ports.only.contains { $0.matches(port) }
            || port.hasPrefix(InputDeviceDescription.virtualPlace)
        return isListed && names.admits(name) && ports.admits(port)
    }
}

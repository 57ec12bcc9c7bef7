public import RigModel

extension Scenario {
    /// The devices, displays and input that its steps name, each once, in the order of the file. What it only looks at is
    /// not among them.
    public var resources: [RigResource] {
        var found: [RigResource] = []
        var known: Set<RigResource> = []
        for step in steps {
            guard case .perform(let command) = step.action else { continue }
            for resource in command.resources where known.insert(resource).inserted { found.append(resource) }
        }
        return found
    }
}

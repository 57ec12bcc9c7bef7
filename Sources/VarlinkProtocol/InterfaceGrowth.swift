extension InterfaceDescription {
    /// A change that can break a program written against the older description.
    public struct GrowthProblem: Equatable, Sendable, CustomStringConvertible {
        /// The place: a member, then fields with dots between; `GetState.reply.devices[].id`.
        public let path: String
        /// What changed there.
        public let change: Change

        /// What changed.
        public enum Change: Equatable, Sendable {
            /// The interface has another name.
            case renamed(from: String, to: String)
            /// A member or field is gone.
            case removed
            /// A member is something else now: "type", "method", "error".
            case kindChanged(from: String, to: String)
            /// A field or type has another type.
            case typeChanged(from: String, to: String)
            /// A new field without `?`.
            case addedRequired
            /// A word of an enumeration is gone.
            case wordRemoved(String)
            /// A new word of an enumeration: older programs do not know it.
            case wordAdded(String)
        }

        /// One line for a person.
        public var description: String {
            switch change {
            case .renamed(let old, let new): "the interface was \(old) and is \(new)"
            case .removed: "\(path) was removed"
            case .kindChanged(let old, let new): "\(path) was a \(old) and is a \(new)"
            case .typeChanged(let old, let new): "\(path) was \(old) and is \(new)"
            case .addedRequired: "\(path) was added and is not optional"
            case .wordRemoved(let word): "\(path) lost the word \(word)"
            case .wordAdded(let word): "\(path) got the word \(word)"
            }
        }
    }

    /// Every change since `old` that is more than an optional field or a new member, in the order of `old`. Empty: a
    /// program written against `old` can speak to this interface. Order, comments and layout do not count; a type
    /// counts by its structure, so naming an inline struct is no change.
    public func growthProblems(since old: InterfaceDescription) -> [GrowthProblem] {
        var comparison = InterfaceComparison(old: old, new: self)
        comparison.compareAll()
        return comparison.problems
    }
}

private struct InterfaceComparison {
    let old: InterfaceDescription
    let new: InterfaceDescription
    private(set) var problems: [InterfaceDescription.GrowthProblem] = []
    /// Pairs of differently named types that were compared or are being compared: once is enough, and recursive types
    /// come to an end.
    private var seenPairs: [(old: String, new: String)] = []

    init(old: InterfaceDescription, new: InterfaceDescription) {
        self.old = old
        self.new = new
    }

    mutating func compareAll() {
        if old.name != new.name { report(old.name, .renamed(from: old.name, to: new.name)) }
        for member in old.members {
            guard let successor = new.member(member.name) else {
                report(member.name, .removed)
                continue
            }
            switch (member.kind, successor.kind) {
            case (.type(let old), .type(let new)):
                compare(old, new, member.name)
            case (.method(let oldParameters, let oldReply), .method(let newParameters, let newReply)):
                compare(oldParameters, newParameters, member.name)
                compare(oldReply, newReply, member.name + ".reply")
            case (.error(let old), .error(let new)):
                compare(old, new, member.name)
            case (.type, _), (.method, _), (.error, _):
                report(member.name, .kindChanged(from: member.kind.word, to: successor.kind.word))
            }
        }
    }

    private mutating func compare(_ old: [VarlinkField], _ new: [VarlinkField], _ path: String) {
        for field in old {
            let fieldPath = path + "." + field.name
            if let successor = new.first(where: { $0.name == field.name }) {
                compare(field.type, successor.type, fieldPath)
            } else {
                report(fieldPath, .removed)
            }
        }
        for field in new where !field.type.isNullable && !old.contains(where: { $0.name == field.name }) {
            report(path + "." + field.name, .addedRequired)
        }
    }

    private mutating func compare(_ oldType: VarlinkType, _ newType: VarlinkType, _ path: String) {
        switch (oldType, newType) {
        case (.named(let oldName), .named(let newName)) where oldName == newName:
            // Compared where it is declared.
            break
        case (.named(let oldName), .named(let newName)):
            guard !seenPairs.contains(where: { $0.old == oldName && $0.new == newName }),
                let oldDeclared = old.type(oldName), let newDeclared = new.type(newName)
            else { return }
            seenPairs.append((oldName, newName))
            compare(oldDeclared, newDeclared, path)
        case (.named(let name), _):
            if let declared = old.type(name) { compare(declared, newType, path) }
        case (_, .named(let name)):
            if let declared = new.type(name) { compare(oldType, declared, path) }
        case (.structure(let oldFields), .structure(let newFields)):
            compare(oldFields, newFields, path)
        case (.enumeration(let oldWords), .enumeration(let newWords)):
            for word in oldWords where !newWords.contains(word) { report(path, .wordRemoved(word)) }
            for word in newWords where !oldWords.contains(word) { report(path, .wordAdded(word)) }
        case (.array(let old), .array(let new)), (.map(let old), .map(let new)):
            compare(old, new, path + "[]")
        case (.nullable(let old), .nullable(let new)):
            compare(old, new, path)
        case (.bool, .bool), (.int, .int), (.float, .float), (.string, .string), (.object, .object):
            break
        case (.bool, _), (.int, _), (.float, _), (.string, _), (.object, _), (.structure, _), (.enumeration, _),
            (.array, _), (.map, _), (.nullable, _):
            report(path, .typeChanged(from: oldType.description, to: newType.description))
        }
    }

    private mutating func report(_ path: String, _ change: InterfaceDescription.GrowthProblem.Change) {
        problems.append(InterfaceDescription.GrowthProblem(path: path, change: change))
    }
}

extension InterfaceDescription.Kind {
    /// "type", "method" or "error".
    var word: String {
        switch self {
        case .type: "type"
        case .method: "method"
        case .error: "error"
        }
    }
}

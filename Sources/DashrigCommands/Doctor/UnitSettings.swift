/// What a unit of systemd and its drop-ins say.
struct UnitSettings {
    private let machine: Machine
    private let unit: String
    /// Where units are, the first wins.
    private let folders: [String]

    init(machine: Machine, unit: String, folders: [String]) {
        self.machine = machine
        self.unit = unit
        self.folders = folders
    }

    /// Whether the unit lets its processes open sockets of a family; nothing when there is no such unit, or it cannot be
    /// read. As systemd.exec(5) has it: lists add up, an empty one begins anew, and what comes first says whether families
    /// are allowed or, with `~`, forbidden.
    func allows(family: String) -> Bool? {
        guard let values = values(of: "RestrictAddressFamilies") else { return nil }
        var isRestricted = false
        var isForbidding = false
        var listed: [Substring] = []
        for value in values {
            if value.isEmpty {
                (isRestricted, listed) = (false, [])
                continue
            }
            let isInverted = value.hasPrefix("~")
            if !isRestricted { (isRestricted, isForbidding) = (true, isInverted) }
            let words = (isInverted ? value.dropFirst() : value[...]).split(whereSeparator: \.isWhitespace)
            listed.removeAll(where: words.contains)
            if isInverted == isForbidding { listed += words }
        }
        return !isRestricted || listed.contains { $0 == family } != isForbidding
    }

    /// The values of a key, the unit's first, then those of its drop-ins in the order of their names.
    private func values(of key: String) -> [String]? {
        guard let folder = machine.folder(of: unit, among: folders), let text = machine.text("\(folder)/\(unit)") else {
            return nil
        }
        var texts = [text]
        var dropIns: [(name: String, path: String)] = []
        for folder in folders.map({ "\($0)/\(unit).d" }) {
            // The same name in an earlier folder stands in the place of this one.
            for name in machine.names(folder)
            where name.hasSuffix(".conf") && !dropIns.contains(where: { $0.name == name }) {
                dropIns.append((name, "\(folder)/\(name)"))
            }
        }
        for dropIn in dropIns.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            texts.append(machine.text(dropIn.path) ?? "")
        }
        return texts.flatMap { text in
            text.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, Self.trimmed(parts[0]) == key else { return nil }
                return Self.trimmed(parts[1])
            }
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

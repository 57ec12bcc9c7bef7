import RigModel

extension EventExpectation {
    /// Whether an event's record is what is expected; its kind is already known to fit.
    func holds(for record: RecordValue) -> Bool { conditions.allSatisfy { $0.holds(for: record) } }

    /// The first condition that does not hold, with what was there instead.
    func miss(in record: RecordValue) -> String? {
        guard let condition = conditions.first(where: { !$0.holds(for: record) }) else { return nil }
        let value = record.value(at: condition.path).map(EventText.value) ?? "absent"
        let operand = condition.operand.text
        let was = "\(condition.path) was \(value)"
        switch condition.comparison {
        case .equal: return "\(was), not \(operand)"
        case .notEqual: return was
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            return "\(was), which is not \(condition.comparison.rawValue) \(operand)"
        case .contains: return "\(was), which does not contain \(operand)"
        }
    }
}

extension EventCondition {
    /// Whether it holds. What is absent is unequal to everything, and nothing else holds for it.
    func holds(for record: RecordValue) -> Bool {
        guard let value = record.value(at: path), value != .null else { return comparison == .notEqual }
        switch comparison {
        case .equal: return isEqual(to: value)
        case .notEqual: return !isEqual(to: value)
        case .less: return order(of: value).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(of: value).map { $0 <= 0 } ?? false
        case .greater: return order(of: value).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(of: value).map { $0 >= 0 } ?? false
        case .contains: return isContained(in: value)
        }
    }

    private func isEqual(to value: RecordValue) -> Bool {
        switch (value, operand) {
        case (.string(let left), .text(let right)): left == right
        case (.bool(let left), .truth(let right)): left == right
        case (.string(let left), .loose(let right)): left == right
        case (.bool(let left), .loose(let right)): Bool(right) == left
        default: order(of: value) == 0
        }
    }

    /// Less than, equal to, or greater than 0 as the value is to the operand; `nil` when they are not both numbers.
    private func order(of value: RecordValue) -> Int? {
        switch (value, operand) {
        case (.int(let left), .whole(let right)): left < right ? -1 : left > right ? 1 : 0
        case (.int(let left), .fraction(let right)): Self.order(Double(left), right)
        case (.double(let left), .whole(let right)): Self.order(left, Double(right))
        case (.double(let left), .fraction(let right)): Self.order(left, right)
        case (.int(let left), .loose(let right)):
            if let whole = Int64(right) {
                left < whole ? -1 : left > whole ? 1 : 0
            } else {
                Double(right).flatMap { Self.order(Double(left), $0) }
            }
        case (.double(let left), .loose(let right)): Double(right).flatMap { Self.order(left, $0) }
        default: nil
        }
    }

    private static func order(_ left: Double, _ right: Double) -> Int? {
        left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
    }

    private func isContained(in value: RecordValue) -> Bool {
        let wanted: String
        switch operand {
        case .text(let text), .loose(let text): wanted = text
        case .whole, .fraction, .truth: return false
        }
        switch value {
        case .string(let text): return Self.text(text, contains: wanted)
        case .array(let values):
            return values.contains(.string(wanted)) || Int64(wanted).map { values.contains(.int($0)) } ?? false
        case .null, .bool, .int, .double, .object: return false
        }
    }

    /// Byte for byte; the standard library's own search needs Foundation.
    private static func text(_ text: String, contains wanted: String) -> Bool {
        let bytes = Array(text.utf8)
        let part = Array(wanted.utf8)
        guard !part.isEmpty else { return true }
        guard part.count <= bytes.count else { return false }
        return (0...bytes.count - part.count).contains { bytes[$0..<$0 + part.count].elementsEqual(part) }
    }
}

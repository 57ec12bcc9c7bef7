import RigModel

extension SingleInput {
    /// Checks its own numbers; whether its fingers can do that is seen where they are held.
    ///
    /// - Throws: `invalidParameter` with the field as the interface spells it.
    func validate() throws(CommandFailure) {
        func fingers(_ ids: [Int], _ field: String) throws(CommandFailure) {
            if ids.isEmpty || ids.count > Gesture.maximumContacts {
                throw .invalidParameter("\(field).frame", text: "a frame has 1 to 10 fingers, not \(ids.count)")
            }
            for (index, id) in ids.enumerated() {
                if !(0..<Gesture.maximumContacts).contains(id) {
                    throw .invalidParameter("\(field).frame.\(index).id", text: "an id is 0 to 9, not \(id)")
                }
                if ids[..<index].contains(id) {
                    throw .invalidParameter("\(field).frame.\(index).id", text: "finger \(id) is in this frame twice")
                }
            }
        }
        switch self {
        case .press, .nudge, .key: break
        case .touch(let changes): try fingers(changes.map(\.id), "touch")
        case .touchpad(let changes):
            try fingers(changes.map(\.id), "touchpad")
            for (index, change) in changes.enumerated() {
                guard let point = change.change.point else { continue }
                if !(0...PadPoint.full).contains(point.x) || !(0...PadPoint.full).contains(point.y) {
                    throw .invalidParameter(
                        "touchpad.frame.\(index)", text: "places are percentages from 0 to 100")
                }
            }
        }
    }

    /// A gesture that needs of a device what this does.
    var likeGesture: Gesture {
        switch self {
        case .press: .press(hold: 0)
        case .nudge(let direction, _): .nudge(direction, hold: 0)
        case .key(let key, _): .key(key, hold: 0)
        case .touch: .touch([ContactPath(id: 0, points: [PixelPoint(x: 0, y: 0)])], duration: 0)
        case .touchpad: .touchpad([ContactPath(id: 0, points: [PadPoint(x: 0, y: 0)])], duration: 0)
        }
    }
}

internal import DashrigClient
internal import RigModel

/// The display that touches go to, as a rig tells it.
struct TouchDisplay {
    /// `s1/main`.
    let id: String
    /// As far as places need it: size and the view area in use.
    let description: DisplayDescription
    /// The revision that pixels are of.
    let revision: UInt32

    /// The display that options name: of a device's session or of the one in front, by name, or the first touchscreen
    /// among them, else the first; nothing when there is none.
    init?(in state: StateView, device: String?, display name: String?) {
        let session =
            device.map { device in
                state.sessions.last { $0.device == device && $0.phase != SessionPhase.closed.rawValue }
            } ?? state.frontSession
        let displays = session.map { state.displays(of: $0.id) } ?? []
        let found: DisplayView?
        if let name {
            found = state.displays.first { $0.id == name } ?? displays.first { $0.name == name }
        } else {
            let touchscreen = DisplayInput.touchscreen.rawValue
            found = displays.first { $0.record.texts("inputs").contains(touchscreen) } ?? displays.first
        }
        guard let found, let width = Int(exactly: found.width), let height = Int(exactly: found.height),
            width > 0, height > 0
        else { return nil }
        id = found.id
        revision = UInt32(clamping: found.revision)
        let areas = found.record.elements("viewAreas").map { area in
            ViewArea(frame: Self.rect(area, "frame"), safeArea: Self.rect(area, "safeArea"))
        }
        var description = DisplayDescription(
            name: found.name, pixels: PixelSize(width: width, height: height), widthMillimetres: 0,
            heightMillimetres: 0, viewAreas: areas)
        description.currentViewArea = Int(clamping: found.record.count("viewArea") ?? 0)
        self.description = description
    }

    private static func rect(_ area: RecordValue, _ name: String) -> PixelRect {
        func number(_ field: String) -> Int { Int(clamping: area.count("\(name).\(field)") ?? 0) }
        return PixelRect(x: number("x"), y: number("y"), width: number("width"), height: number("height"))
    }
}

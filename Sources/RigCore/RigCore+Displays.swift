import RigModel

extension RigCore {
    /// The display of that name: `s1/main`, or `main` of the session given.
    func display(named name: String, in session: SessionID?) throws(CommandFailure) -> Display {
        var owner = session
        var short = name[...]
        if let slash = name.firstIndex(of: "/") {
            owner = UInt32(name[..<slash].dropFirst()).map(SessionID.init).flatMap {
                $0.name == name[..<slash] ? $0 : nil
            }
            short = name[name.index(after: slash)...]
        }
        if let entry = owner.flatMap({ sessions[$0] }),
            let display = entry.displays.first(where: { $0.description.name == short })
        {
            return display
        }
        let known = sessions.values.flatMap { $0.displays.map(\.name) }
        let text =
            known.isEmpty
            ? "there is no display '\(name)': no session is active"
            : "there is no display '\(name)'; there is \(known.joined(separator: ", "))"
        throw .invalidParameter("display", text: text)
    }

    mutating func setDisplay(
        _ change: DisplayChange, into actions: inout ActionBuffer
    ) throws(CommandFailure) -> Display {
        let display = try display(named: change.display, in: front.session)
        var shape = display.description
        if let pixels = change.pixels, pixels != shape.pixels {
            shape.pixels = pixels
            if pixels.width > 0, pixels.height > 0,
                shape.viewAreas.contains(where: { !PixelRect(pixels).contains($0.frame) })
            {
                let whole = PixelRect(pixels)
                shape.viewAreas = [ViewArea(frame: whole, safeArea: whole)]
                shape.currentViewArea = 0
            }
        }
        if let scale = change.scaleHundredths { shape.scaleHundredths = scale }
        if let frames = change.framesPerSecond { shape.framesPerSecond = frames }
        if let area = change.viewArea { shape.currentViewArea = area }
        if let safe = change.safeArea, shape.viewAreas.indices.contains(shape.currentViewArea) {
            shape.viewAreas[shape.currentViewArea].safeArea = safe
        }
        if let appearance = change.appearance { shape.appearance = appearance }
        if let side = change.driverSide { shape.driverSide = side }
        if let keyboard = change.limitKeyboard { shape.limitedUI.keyboard = keyboard }
        if let lists = change.limitLists { shape.limitedUI.lists = lists }
        if let primary = change.primaryInput { shape.primaryInput = primary }
        if let problem = shape.problems().first {
            throw .invalidParameter(problem.field, text: problem.text)
        }
        let applied = apply(shape, to: display, into: &actions)
        guard sessions.contains(display.session) else {
            throw .invalidParameter("display", text: "the session of '\(display.name)' ended while it was to change")
        }
        return applied
    }

    /// Gives a display its new shape and its next revision, and publishes it, if anything changed.
    mutating func apply(
        _ shape: DisplayDescription, to display: Display, origin: Origin = .declared,
        into actions: inout ActionBuffer
    ) -> Display {
        guard shape != display.description else { return display }
        if shape.pixels != display.description.pixels { cancelTouches(on: display, into: &actions) }
        takeBackTouches(on: display, becoming: shape, into: &actions)
        // What was taken back may have ended the session, and the display with it.
        guard let entry = sessions[display.session] else { return display }
        var changed = display
        changed.description = shape
        changed.revision += 1
        sessions.update(display.session) { entry in
            if let index = entry.displays.firstIndex(where: { $0.name == display.name }) {
                entry.displays[index] = changed
            }
        }
        publish(
            Event(
                time: now, kind: .displayChanged, origin: origin, device: entry.session.device,
                session: display.session, display: changed.name, payload: .display(changed)), into: &actions)
        return changed
    }
}

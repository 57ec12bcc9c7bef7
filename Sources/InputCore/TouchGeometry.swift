public import HIDReports
public import RigModel

/// Where a touch on a surface is on a display: the one place where contacts become display pixels.
///
/// The corners of the surface are the corners of what it covers, exactly; between them the nearest pixel counts. A contact
/// outside the surface's range is taken to its edge.
public struct TouchGeometry: Sendable {
    /// The revision of the display that the pixels are of.
    public let revision: UInt32

    /// The part of the display that the surface lies on, in its pixels: as long as it is the same, so are the places of
    /// fingers.
    public let area: PixelRect

    private let transform: SurfaceTransform
    private let safeArea: PixelRect

    /// A surface that lies on a display as it is now. Make a new one when the display gets a new revision.
    public init(_ surface: SurfaceLayout, on display: DisplayDescription, revision: UInt32) {
        self.revision = revision
        transform = SurfaceTransform(surface)
        area =
            switch surface.mount.area {
            case .display: PixelRect(display.pixels)
            case .viewArea: display.viewArea.frame
            }
        safeArea = display.viewArea.safeArea
    }

    /// The pixel of a point of the device.
    public func point(x: Int32, y: Int32) -> PixelPoint {
        let place = transform.place(x: x, y: y)
        return PixelPoint(
            x: area.x + place.x.place(of: area.width), y: area.y + place.y.place(of: area.height))
    }

    /// One frame in pixels, with what is outside the safe area flagged.
    public func event(_ contacts: [SurfaceContact]) -> TouchEvent {
        var event = TouchEvent(contacts: [])
        place(contacts, into: &event)
        return event
    }

    /// The same in place of an event that is over, whose memory is used again when nobody else has it.
    public func place(_ contacts: [SurfaceContact], into event: inout TouchEvent) {
        event.removeAll()
        for contact in contacts { add(contact, to: &event) }
    }

    /// A frame of a touchscreen on the link, as `place(_:into:)`.
    ///
    /// - Parameter isCancelled: whether what is lifted is taken back.
    public func place(_ contacts: [HIDContact], isCancelled: Bool, into event: inout TouchEvent) {
        event.removeAll()
        for contact in contacts { add(SurfaceContact(contact, isCancelled: isCancelled), to: &event) }
    }

    private func add(_ contact: SurfaceContact, to event: inout TouchEvent) {
        let point = point(x: contact.x, y: contact.y)
        if !safeArea.contains(x: point.x, y: point.y) { event.outsideSafeArea = true }
        event.contacts.append(Contact(id: contact.id, point: point, phase: contact.phase))
    }
}

extension TouchEvent {
    fileprivate mutating func removeAll() {
        contacts.removeAll(keepingCapacity: true)
        outsideSafeArea = false
    }
}

extension SurfaceLayout {
    /// A touchscreen that tells places as its reports on the link do, from 0 to `HIDContact.full`.
    public static let link = SurfaceLayout(
        kind: .screen, x: AbsoluteRange(code: EvdevCode.contactX, minimum: 0, maximum: Int32(HIDContact.full)),
        y: AbsoluteRange(code: EvdevCode.contactY, minimum: 0, maximum: Int32(HIDContact.full)),
        slots: SurfaceLayout.maximumSlots)
}

extension SurfaceContact {
    /// A contact of a report; `isCancelled` says that what is lifted is taken back.
    fileprivate init(_ contact: HIDContact, isCancelled: Bool) {
        self.init(
            id: contact.number, x: Int32(clamping: contact.x), y: Int32(clamping: contact.y),
            phase: isCancelled && contact.phase == .up ? .cancelled : ContactPhase(contact.phase))
    }
}

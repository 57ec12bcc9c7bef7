import HIDReports
import InputCore
import RigModel
import Testing

@Suite struct TouchGeometryTests {
    private static func surface(
        _ mount: SurfaceMount = SurfaceMount(), x: ClosedRange<Int32> = 0...4_095, y: ClosedRange<Int32> = 0...2_047
    ) -> SurfaceLayout {
        SurfaceLayout(
            kind: .screen, x: AbsoluteRange(code: 0x35, minimum: x.lowerBound, maximum: x.upperBound),
            y: AbsoluteRange(code: 0x36, minimum: y.lowerBound, maximum: y.upperBound), mount: mount, slots: 10)
    }

    private static func display(
        _ width: Int = 1_920, _ height: Int = 720, area: PixelRect? = nil, safe: PixelRect? = nil
    ) -> DisplayDescription {
        let frame = area ?? PixelRect(x: 0, y: 0, width: width, height: height)
        return DisplayDescription(
            name: "main", pixels: PixelSize(width: width, height: height), widthMillimetres: 292,
            heightMillimetres: 110, viewAreas: [ViewArea(frame: frame, safeArea: safe ?? frame)])
    }

    /// Where the device's corners (top left, top right, bottom right, bottom left) are on the display, as left or right and
    /// top or bottom.
    private static let corners: [(mirrored: Bool, rotation: SurfaceMount.Rotation, [(right: Bool, bottom: Bool)])] = [
        (false, .none, [(false, false), (true, false), (true, true), (false, true)]),
        (false, .quarter, [(true, false), (true, true), (false, true), (false, false)]),
        (false, .half, [(true, true), (false, true), (false, false), (true, false)]),
        (false, .threeQuarters, [(false, true), (false, false), (true, false), (true, true)]),
        (true, .none, [(true, false), (false, false), (false, true), (true, true)]),
        (true, .quarter, [(true, true), (true, false), (false, false), (false, true)]),
        (true, .half, [(false, true), (true, true), (true, false), (false, false)]),
        (true, .threeQuarters, [(false, false), (false, true), (true, true), (true, false)]),
    ]

    @Test(arguments: SurfaceMount.Area.allCases, 0..<8)
    func cornersAreExactHoweverItIsMounted(area: SurfaceMount.Area, place: Int) {
        let (mirrored, rotation, expected) = Self.corners[place]
        let margins = SurfaceMount.Margins(left: 95, top: 40, right: 100, bottom: 7)
        let mount = SurfaceMount(margins: margins, mirrored: mirrored, rotation: rotation, area: area)
        let frame = PixelRect(x: 420, y: 10, width: 1_081, height: 701)
        let geometry = TouchGeometry(Self.surface(mount), on: Self.display(area: frame), revision: 3)
        let whole = PixelRect(x: 0, y: 0, width: 1_920, height: 720)
        let covered = area == .display ? whole : frame
        let raw: [(Int32, Int32)] = [(95, 40), (3_995, 40), (3_995, 2_040), (95, 2_040)]
        for (corner, side) in zip(raw, expected) {
            let point = geometry.point(x: corner.0, y: corner.1)
            #expect(point.x == (side.right ? covered.x + covered.width - 1 : covered.x), "\(corner)")
            #expect(point.y == (side.bottom ? covered.y + covered.height - 1 : covered.y), "\(corner)")
        }
        #expect(geometry.revision == 3)
    }

    /// Against arithmetic in fractions, to the pixel.
    @Test func everyPointIsTheNearestPixel() {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SplitMix(state: seed)
        for _ in 0..<2_000 {
            let (x0, y0) = (
                Int32.random(in: -9_000...9_000, using: &generator), Int32.random(in: -9...9, using: &generator)
            )
            let (x1, y1) = (
                x0 + Int32.random(in: 1...70_000, using: &generator),
                y0 + Int32.random(in: 1...9_000, using: &generator)
            )
            let size = (Int.random(in: 1...16_384, using: &generator), Int.random(in: 1...16_384, using: &generator))
            let geometry = TouchGeometry(
                Self.surface(x: x0...x1, y: y0...y1), on: Self.display(size.0, size.1), revision: 1)
            let raw = (Int32.random(in: x0...x1, using: &generator), Int32.random(in: y0...y1, using: &generator))
            let point = geometry.point(x: raw.0, y: raw.1)
            let exact = (
                Double(raw.0 - x0) / Double(x1 - x0) * Double(size.0 - 1),
                Double(raw.1 - y0) / Double(y1 - y0) * Double(size.1 - 1)
            )
            #expect(
                abs(Double(point.x) - exact.0) <= 0.5001 && abs(Double(point.y) - exact.1) <= 0.5001, "seed \(seed)")
        }
    }

    @Test(arguments: [(Int32.min, Int32.max), (.max, .min), (-1, 4_096), (4_096, -1)])
    func pointsOutsideAreTakenToTheEdge(x: Int32, y: Int32) {
        let geometry = TouchGeometry(Self.surface(), on: Self.display(), revision: 1)
        #expect(geometry.point(x: x, y: y) == PixelPoint(x: x < 0 ? 0 : 1_919, y: y < 0 ? 0 : 719))
    }

    @Test func extremeRangesAndMarginsDoNotTrap() {
        let wide = Self.surface(x: .min ... .max, y: .min ... .max)
        let geometry = TouchGeometry(wide, on: Self.display(), revision: 1)
        #expect(geometry.point(x: .min, y: .max) == PixelPoint(x: 0, y: 719))
        #expect(geometry.point(x: 0, y: 0) == PixelPoint(x: 960, y: 360))
        let eaten = SurfaceMount(margins: SurfaceMount.Margins(left: .max, top: .max, right: .max, bottom: .max))
        let nothing = TouchGeometry(Self.surface(eaten), on: Self.display(), revision: 1)
        #expect(nothing.point(x: 100, y: 100) == PixelPoint(x: 0, y: 0))
        var backwards = Self.surface()
        backwards.x = AbsoluteRange(code: 0x35, minimum: 10, maximum: -10)
        #expect(TouchGeometry(backwards, on: Self.display(), revision: 1).point(x: 0, y: 0) == PixelPoint(x: 0, y: 0))
    }

    @Test func whatIsOutsideTheSafeAreaIsFlagged() {
        let safe = PixelRect(x: 420, y: 0, width: 1_080, height: 720)
        let geometry = TouchGeometry(
            Self.surface(x: 0...1_919, y: 0...719), on: Self.display(safe: safe), revision: 7)
        func event(_ xs: Int32...) -> TouchEvent {
            geometry.event(
                xs.enumerated().map { SurfaceContact(id: $0.offset, x: $0.element, y: 100, phase: .began) })
        }
        #expect(event(419).outsideSafeArea)
        #expect(!event(420).outsideSafeArea)
        #expect(!event(1_499).outsideSafeArea)
        #expect(event(1_500).outsideSafeArea)
        #expect(event(500, 1_500).outsideSafeArea)
        #expect(
            event(500, 1_500).contacts == [
                Contact(id: 0, point: PixelPoint(x: 500, y: 100), phase: .began),
                Contact(id: 1, point: PixelPoint(x: 1_500, y: 100), phase: .began),
            ])
    }

    /// The memory of a frame that is over is used again, and nothing else of it; a frame that somebody has stays as it is.
    @Test func aFrameInPlaceOfAnotherIsAsOneOfItsOwn() {
        let safe = PixelRect(x: 420, y: 0, width: 1_080, height: 720)
        let geometry = TouchGeometry(
            Self.surface(x: 0...1_919, y: 0...719), on: Self.display(safe: safe), revision: 7)
        let many = (0..<5).map { SurfaceContact(id: $0, x: Int32($0) * 100, y: 100, phase: .began) }
        let one = [SurfaceContact(id: 3, x: 500, y: 7, phase: .moved)]
        var event = TouchEvent(contacts: [])
        geometry.place(many, into: &event)
        let kept = event
        geometry.place(one, into: &event)
        #expect(event == geometry.event(one) && !event.outsideSafeArea)
        #expect(kept == geometry.event(many) && kept.outsideSafeArea && kept.contacts.count == 5)
        let lifted = [HIDContact(number: 2, phase: .up, x: 0, y: HIDContact.full)]
        geometry.place(lifted, isCancelled: true, into: &event)
        #expect(event.contacts == [Contact(id: 2, point: geometry.point(x: 0, y: 0xFFFF), phase: .cancelled)])
        #expect(event.outsideSafeArea)
    }

    /// A step to the right on the device never goes back on the display.
    @Test(arguments: [1, 2, 799, 800, 16_384])
    func placesAreInOrder(width: Int) {
        let geometry = TouchGeometry(Self.surface(x: 0...999, y: 0...1), on: Self.display(width, 2), revision: 1)
        var last = -1
        for x: Int32 in 0...999 {
            let place = geometry.point(x: x, y: 0).x
            #expect(place >= last && place < width)
            last = place
        }
        #expect(last == width - 1)
    }
}

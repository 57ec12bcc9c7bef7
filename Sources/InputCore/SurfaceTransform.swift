import RigModel

/// A share of a way: `part` of `whole`, from 0 to `whole`, or beyond for a point outside.
struct SurfaceShare: Equatable, Sendable {
    var part: Int
    var whole: Int

    /// The nearest of 0 to `count` - 1, so that both ends are exact.
    func place(of count: Int) -> Int {
        guard whole > 0, count > 1 else { return 0 }
        return (part * (count - 1) + whole / 2) / whole
    }
}

/// From the axes of a surface to the upright picture that it lies on: margins, mirrored, rotation, in this order.
struct SurfaceTransform: Sendable {
    private let x: ClosedRange<Int>
    private let y: ClosedRange<Int>
    private let mount: SurfaceMount

    init(_ surface: SurfaceLayout) {
        x = Self.range(surface.x, surface.mount.margins.left, surface.mount.margins.right)
        y = Self.range(surface.y, surface.mount.margins.top, surface.mount.margins.bottom)
        mount = surface.mount
    }

    /// Where a point of the device is, from the left and from the top; one outside is taken to the edge.
    func place(x rawX: Int32, y rawY: Int32) -> (x: SurfaceShare, y: SurfaceShare) {
        upright(Self.share(inside(Int(rawX), x), of: x), Self.share(inside(Int(rawY), y), of: y))
    }

    /// The same for ways: points outside stay there, since many a pad goes beyond the range that its driver tells.
    func way(x rawX: Int32, y rawY: Int32) -> (x: SurfaceShare, y: SurfaceShare) {
        upright(Self.share(Int(rawX), of: x), Self.share(Int(rawY), of: y))
    }

    private func inside(_ value: Int, _ range: ClosedRange<Int>) -> Int {
        min(max(value, range.lowerBound), range.upperBound)
    }

    private func upright(
        _ rawAcross: SurfaceShare, _ down: SurfaceShare
    ) -> (x: SurfaceShare, y: SurfaceShare) {
        var across = rawAcross
        if mount.mirrored { across = across.reversed }
        return switch mount.rotation {
        case .none: (across, down)
        case .quarter: (down.reversed, across)
        case .half: (across.reversed, down.reversed)
        case .threeQuarters: (down, across.reversed)
        }
    }

    /// What is left of an axis between its margins; one point where nothing is, or where its driver has it the wrong way
    /// around.
    private static func range(_ axis: AbsoluteRange, _ before: Int32, _ after: Int32) -> ClosedRange<Int> {
        let first = Int(axis.minimum) + Int(before)
        return first...max(first, Int(axis.maximum) - Int(after))
    }

    private static func share(_ value: Int, of range: ClosedRange<Int>) -> SurfaceShare {
        SurfaceShare(part: value - range.lowerBound, whole: range.upperBound - range.lowerBound)
    }
}

extension SurfaceShare {
    /// The same from the other end.
    fileprivate var reversed: SurfaceShare { SurfaceShare(part: whole - part, whole: whole) }
}

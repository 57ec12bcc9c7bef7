/// A place that has a distance from another.
public protocol SurfacePoint: Equatable, Sendable {
    /// From the left edge.
    var x: Int { get }
    /// From the top edge.
    var y: Int { get }
    /// How many of the coordinates' units are one of the unit that speeds are given in.
    static var unitsOfSpeed: Double { get }
    /// States a place.
    init(x: Int, y: Int)
}

extension PixelPoint: SurfacePoint {
    /// Speeds are pixels per second.
    public static var unitsOfSpeed: Double { 1 }
}

extension PadPoint: SurfacePoint {
    /// Speeds are percent of the pad's width and height per second.
    public static var unitsOfSpeed: Double { 100 }
}

extension ContactPath where Point: SurfacePoint {
    /// How long the way is, in the unit of speeds.
    public var length: Double {
        zip(points, points.dropFirst()).reduce(0) { sum, pair in
            let (x, y) = (Double(pair.1.x) - Double(pair.0.x), Double(pair.1.y) - Double(pair.0.y))
            return sum + (x * x + y * y).squareRoot()
        } / Point.unitsOfSpeed
    }

    /// How many stretches a flick is made of.
    private static var stretches: Int { 8 }

    /// The same straight way as a flick goes it: from rest, ever faster, and lifted at its fastest. The places are those
    /// after equal times; `nil` when it does not have two points. The places are those of a surface: no coordinate is
    /// beyond what one counts.
    public var flicked: ContactPath? {
        guard points.count == 2 else { return nil }
        let (start, end) = (points[0], points[1])
        let whole = Self.stretches * Self.stretches
        return ContactPath(
            id: id,
            points: (0...Self.stretches).map { step in
                // The way grows with the square of the time.
                Point(
                    x: start.x + (end.x - start.x) * step * step / whole,
                    y: start.y + (end.y - start.y) * step * step / whole)
            })
    }
}

extension Gesture {
    /// How long a flick is when nobody says: 100 ms.
    public static let defaultFlick: UInt64 = 100_000_000
    /// The highest speed that tools take, per second: ours; across the widest display in a frame of a touchscreen.
    public static let maximumVelocity = 1_000_000

    /// How long fingers take that go at a speed.
    ///
    /// - Parameters:
    ///   - speed: of the finger whose way is longest, above 0: pixels per second on a display, percent per second on a
    ///     touchpad. For a flick, the speed at which it is lifted.
    ///   - isFlick: whether they start from rest and get ever faster: the mean is half the speed then.
    /// - Returns: nanoseconds; `nil` when that is longer than a gesture may be, or nobody moves.
    public static func duration(
        of paths: [ContactPath<some SurfacePoint>], atSpeed speed: Double, isFlick: Bool
    ) -> UInt64? {
        guard let longest = paths.map(\.length).max(), longest > 0, speed > 0 else { return nil }
        let time = longest / speed * (isFlick ? 2_000_000_000 : 1_000_000_000)
        guard time <= Double(maximumDuration) else { return nil }
        return UInt64(time.rounded())
    }

    /// The time from one detent to the next when a turn takes so long in all; 0 for a single detent.
    public static func interval(of detents: Int32, over duration: UInt64) -> UInt64 {
        detents.magnitude > 1 ? duration / UInt64(detents.magnitude - 1) : 0
    }
}

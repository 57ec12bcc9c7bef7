/// A size in display pixels.
public struct PixelSize: Equatable, Hashable, Sendable {
    /// Pixels across, from 1 to 16,384.
    public var width: Int
    /// Pixels down, from 1 to 16,384.
    public var height: Int

    /// States a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// A rectangle in display pixels; the origin is the top left of the display.
public struct PixelRect: Equatable, Hashable, Sendable {
    /// Pixels from the left edge.
    public var x: Int
    /// Pixels from the top edge.
    public var y: Int
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// States a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The rectangle from 0,0 that fills `size`.
    public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

    /// Whether the pixel belongs to the rectangle; the right and bottom edges do not.
    public func contains(x px: Int, y py: Int) -> Bool {
        px >= x && py >= y && px - x < width && py - y < height
    }

    /// Whether `other` lies wholly inside. Both must be within ±1,000,000 so that no sum overflows; displays are.
    public func contains(_ other: PixelRect) -> Bool {
        other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height
    }

    /// The rectangle as it is published.
    public var record: RecordValue {
        .record([
            RecordField("x", .number(x)), RecordField("y", .number(y)), RecordField("width", .number(width)),
            RecordField("height", .number(height)),
        ])
    }
}

/// A point in display pixels; the origin is the top left of the display.
public struct PixelPoint: Equatable, Hashable, Sendable {
    /// Pixels from the left edge.
    public var x: Int
    /// Pixels from the top edge.
    public var y: Int

    /// States a point.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}

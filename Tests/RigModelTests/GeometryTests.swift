import RigModel
import Testing

@Suite struct PixelRectTests {
    private let rect = PixelRect(x: 420, y: 10, width: 1_080, height: 720)

    @Test(arguments: [
        (420, 10, true), (1_499, 729, true), (1_500, 10, false), (420, 730, false), (419, 10, false), (420, 9, false),
        (Int.max, 10, false), (420, Int.max, false),
    ])
    func containsPixelsUpToButWithoutItsRightAndBottomEdges(x: Int, y: Int, inside: Bool) {
        #expect(rect.contains(x: x, y: y) == inside)
    }

    @Test(arguments: [
        (PixelRect(x: 420, y: 10, width: 1_080, height: 720), true),
        (PixelRect(x: 421, y: 11, width: 1, height: 1), true),
        (PixelRect(x: 419, y: 10, width: 10, height: 10), false),
        (PixelRect(x: 420, y: 9, width: 10, height: 10), false),
        (PixelRect(x: 421, y: 10, width: 1_080, height: 720), false),
        (PixelRect(x: 420, y: 11, width: 1_080, height: 720), false),
    ])
    func containsRectanglesThatLieWhollyInside(other: PixelRect, inside: Bool) {
        #expect(rect.contains(other) == inside)
    }

    @Test func startsAtTheOriginWhenItFillsASize() {
        #expect(PixelRect(PixelSize(width: 3, height: 2)) == PixelRect(x: 0, y: 0, width: 3, height: 2))
    }

    @Test func isWrittenAsOriginAndSize() { #expect(rect.text == "420,10 1080x720") }

    @Test func isPublishedWithFourFields() {
        #expect(
            rect.record
                == .object([
                    RecordField("x", .int(420)), RecordField("y", .int(10)), RecordField("width", .int(1_080)),
                    RecordField("height", .int(720)),
                ]))
    }
}

@Suite struct DisplayPointsTests {
    @Test(arguments: [
        (748, 456, 200, 374, 228), (800, 480, 200, 400, 240), (1_920, 720, 300, 640, 240),
        (900, 1_200, 300, 300, 400), (768, 1_024, 200, 384, 512), (300, 200, 300, 100, 67), (640, 480, 200, 320, 240),
        (1_920, 720, 200, 960, 360), (1, 1, 400, 0, 0), (100, 100, 125, 80, 80),
    ])
    func roundsToTheNearestPoint(width: Int, height: Int, scale: Int, pointWidth: Int, pointHeight: Int) {
        let shape = DisplayDescription(
            name: "main", pixels: PixelSize(width: width, height: height), scaleHundredths: scale, widthMillimetres: 1,
            heightMillimetres: 1)
        #expect(shape.points == PixelSize(width: pointWidth, height: pointHeight))
    }

    @Test func fallsBackToPixelsWithoutAScale() {
        let shape = DisplayDescription(
            name: "main", pixels: PixelSize(width: 8, height: 4), scaleHundredths: 0, widthMillimetres: 1,
            heightMillimetres: 1)
        #expect(shape.points == PixelSize(width: 8, height: 4))
    }

    @Test func theViewAreaInUseFallsBackToTheWholeDisplay() {
        var shape = DisplayDescription(
            name: "main", pixels: PixelSize(width: 8, height: 4), widthMillimetres: 1, heightMillimetres: 1)
        shape.currentViewArea = 7
        #expect(shape.viewArea.frame == PixelRect(x: 0, y: 0, width: 8, height: 4))
    }
}

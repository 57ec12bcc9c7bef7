import ControlProtocol
import RigTestKit
import Testing
import WireBytes

@Suite("DisplayDeclarations")
struct DisplayDeclarationsTests {
    static let cluster = DisplayDeclaration(
        name: "cluster", role: .instrumentCluster, pixelWidth: 640, pixelHeight: 480, framesPerSecond: 30,
        primaryInput: .none, inputs: [], touchFidelity: .none, appearance: .dark, driverSide: .right)

    @Test("displays go there and back")
    func roundTrip() throws {
        let value = DisplayDeclarations(displays: [HandshakeExamples.display, Self.cluster])
        #expect(try DisplayDeclarations(try value.message()) == value)
        #expect(try DisplayDeclarations(parameters: ControlParameters()).displays == [])
    }

    @Test("a display has the documented bytes")
    func bytes() throws {
        var display = Self.cluster
        display.viewAreas = [
            .init(
                area: .init(x: 0, y: 16, width: 640, height: 448),
                safeArea: .init(x: 1, y: 17, width: 2, height: 3))
        ]
        #expect(
            try DisplayDeclarations(displays: [display]).message().encoded()
                == hex(
                    """
                    40 40 00 90 D5 00
                      00 8A 00 00
                        00 0C 00 00 63 6C 75 73 74 65 72 00
                        00 05 00 01 01  00 06 00 02 02 80  00 06 00 03 01 E0  00 06 00 04 00 C8  00 06 00 05 00 1E
                        00 06 00 06 00 00  00 06 00 07 00 00
                        00 38 00 08
                          00 06 00 00 00 00  00 06 00 01 00 10  00 06 00 02 02 80  00 06 00 03 01 C0
                          00 1C 00 04  00 06 00 00 00 01  00 06 00 01 00 11  00 06 00 02 00 02  00 06 00 03 00 03
                        00 05 00 09 00  00 05 00 0A 00  00 05 00 0B 00  00 05 00 0C 01  00 05 00 0D 01
                    """))
    }

    typealias Change = @Sendable (inout DisplayDeclaration) -> Void

    static let legal: [Change] = [
        { $0.pixelWidth = 1 }, { $0.pixelHeight = 16_384 }, { $0.scaleHundredths = 50 }, { $0.scaleHundredths = 800 },
        { $0.framesPerSecond = 1 }, { $0.framesPerSecond = 240 }, { $0.millimetreWidth = 65_535 },
        { $0.name = String(repeating: "n", count: 64) },
        { $0.inputs = .all },
        { display in
            display.viewAreas = [DisplayDeclaration.ViewArea](
                repeating: .init(area: .init(x: 639, y: 479, width: 1, height: 1)), count: 8)
        },
    ]

    static let illegal: [(String, Change)] = [
        ("pixel width", { $0.pixelWidth = 0 }),
        ("pixel width", { $0.pixelWidth = 16_385 }),
        ("pixel height", { $0.pixelHeight = 0 }),
        ("pixel height", { $0.pixelHeight = 16_385 }),
        ("scale", { $0.scaleHundredths = 49 }),
        ("scale", { $0.scaleHundredths = 801 }),
        ("frames per second", { $0.framesPerSecond = 0 }),
        ("frames per second", { $0.framesPerSecond = 241 }),
        ("display name", { $0.name = "" }),
        ("display name", { $0.name = String(repeating: "n", count: 65) }),
        ("inputs", { $0.inputs = DisplayDeclaration.Inputs(rawValue: 16) }),
        ("view area 1", { $0.viewAreas = [.init(area: .init(x: 1, y: 0, width: 640, height: 480))] }),
        ("view area 1", { $0.viewAreas = [.init(area: .init(x: 0, y: 1, width: 640, height: 480))] }),
        ("view area 1", { $0.viewAreas = [.init(area: .init(x: 0, y: 0, width: 0, height: 480))] }),
        ("view area 1", { $0.viewAreas = [.init(area: .init(x: 65_535, y: 65_535, width: 65_535, height: 65_535))] }),
        (
            "safe area 2",
            {
                let area = DisplayDeclaration.Rectangle(x: 10, y: 10, width: 100, height: 100)
                $0.viewAreas = [
                    .init(area: area), .init(area: area, safeArea: .init(x: 9, y: 10, width: 10, height: 10)),
                ]
            }
        ),
        (
            "safe area 1",
            {
                $0.viewAreas = [
                    .init(
                        area: .init(x: 10, y: 10, width: 100, height: 100),
                        safeArea: .init(x: 10, y: 9, width: 10, height: 10))
                ]
            }
        ),
        (
            "view areas",
            {
                $0.viewAreas = [DisplayDeclaration.ViewArea](
                    repeating: .init(area: .init(x: 0, y: 0, width: 1, height: 1)), count: 9)
            }
        ),
    ]

    @Test("each field is legal at its limits", arguments: 0..<legal.count)
    func atLimit(index: Int) throws {
        var display = Self.cluster
        Self.legal[index](&display)
        let value = DisplayDeclarations(displays: [display])
        #expect(try DisplayDeclarations(try value.message()) == value)
    }

    @Test("each field is refused one over, by name, before it is sent", arguments: 0..<illegal.count)
    func overLimit(index: Int) {
        let (name, change) = Self.illegal[index]
        var display = Self.cluster
        change(&display)
        #expect("\(name)") {
            _ = try DisplayDeclarations(displays: [display]).message()
        } throws: {
            ($0 as? WireError)?.field.hasPrefix(name) == true
        }
    }

    @Test("displays are taken up to their number, with names of their own")
    func displays() throws {
        func displays(_ count: Int) -> [DisplayDeclaration] {
            (0..<count).map {
                var display = Self.cluster
                display.name = "display \($0)"
                return display
            }
        }
        #expect(try DisplayDeclarations(try DisplayDeclarations(displays: displays(16)).message()).displays.count == 16)
        #expect(throws: WireError(.tooMany(limit: 16), offset: 0, field: "displays")) {
            try DisplayDeclarations(displays: displays(17)).message()
        }
        #expect(throws: WireError(.repeated, offset: 0, field: "display name cluster")) {
            try DisplayDeclarations(displays: [Self.cluster, Self.cluster]).message()
        }
    }

    @Test("what another side sends over the limits is refused where it stands")
    func received() throws {
        let one = try DisplayDeclarations(displays: [Self.cluster]).message().parameters
        var many = ControlParameters()
        for index in 0..<17 as Range<UInt8> {
            var bytes = Array(try one.required(0).value)
            bytes[4] = UInt8(ascii: "A") + index
            try many.append(0, bytes: bytes)
        }
        #expect("17 displays") {
            _ = try DisplayDeclarations(parameters: many)
        } throws: {
            ($0 as? WireError)?.kind == .tooMany(limit: 16)
        }
        // Every byte spoiled in turn: refused or read, never a trap, and what is read is legal.
        let whole = Array(one.encoded)
        for index in whole.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[index] = value
                guard let read = try? DisplayDeclarations(parameters: ControlParameters(encoded: bytes[...])) else {
                    continue
                }
                #expect(throws: Never.self) { try DisplayDeclarations.validate(read.displays) }
            }
        }
    }

    @Test("an unknown choice is refused with what would be legal")
    func choice() throws {
        var bytes = Array(try DisplayDeclarations(displays: [Self.cluster]).message().parameters.required(0).value)
        // The role is the byte behind the name's parameter and the role's header.
        bytes[16] = 2
        var parameters = ControlParameters()
        try parameters.append(0, bytes: bytes)
        #expect(
            throws: WireError(.outOfRange(value: 2, minimum: 0, maximum: 1), offset: 20, field: "parameter 1")
        ) { try DisplayDeclarations(parameters: parameters) }
    }
}

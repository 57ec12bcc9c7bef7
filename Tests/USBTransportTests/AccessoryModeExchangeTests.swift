import LinuxIO
import RigModel
import Testing

@testable import USBTransport

@Suite struct AccessoryModeExchangeTests {
    typealias Exchange = AccessoryModeExchange

    static func strings() throws -> AccessoryStrings {
        try AccessoryStrings(
            manufacturer: "Android", model: "Android Auto", description: "Ü", version: "2.0.1", uri: "", serial: "HU-1")
    }

    private static let query = Exchange.Action.ask(USBControlRequest(type: 0xC0, request: 51), length: 2)

    private static func string(_ index: UInt16, _ text: String) -> Exchange.Action {
        .tell(USBControlRequest(type: 0x40, request: 52, index: index), data: Array(text.utf8) + [0])
    }

    private static let start = Exchange.Action.tell(USBControlRequest(type: 0x40, request: 53), data: [])

    @Test(arguments: [1, 2, 3, 0x0102] as [UInt16])
    func theWholeExchange(version: UInt16) throws {
        var exchange = Exchange(try Self.strings())
        #expect(exchange.ended(.ok([])) == .none, "nothing was asked yet")
        #expect(exchange.begin() == Self.query)
        #expect(exchange.begin() == .none, "once")
        let answer: [UInt8] = [UInt8(version & 0xFF), UInt8(version >> 8)]
        #expect(exchange.ended(.ok(answer)) == Self.string(0, "Android"))
        #expect(exchange.ended(.ok([])) == Self.string(1, "Android Auto"))
        #expect(exchange.ended(.ok([])) == Self.string(2, "Ü"))
        #expect(exchange.ended(.ok([])) == Self.string(3, "2.0.1"))
        #expect(exchange.ended(.ok([])) == Self.string(4, ""))
        #expect(exchange.ended(.ok([])) == Self.string(5, "HU-1"))
        #expect(exchange.ended(.ok([])) == Self.start)
        #expect(exchange.ended(.ok([])) == .started(protocolVersion: version))
        #expect(exchange.ended(.ok([])) == .none && exchange.begin() == .none)
    }

    /// State × outcome: where the exchange is, what the device does, what comes of it.
    @Test func everyOutcomeAtEveryStep() throws {
        let outcomes: [USBOutcome<[UInt8]>] = [
            .stalled, .timedOut, .gone, .stuck, .cancelled, .noAccess, .busy(nil), .refused(.shutDown),
            .failed(USBFailure("transfer", "LIBUSB_TRANSFER_ERROR")),
        ]
        let steps: [Exchange.Step] =
            [.protocolQuery] + AccessoryStrings.Field.allCases.map { .string($0) } + [.start]
        for (index, step) in steps.enumerated() {
            for outcome in outcomes {
                var exchange = Exchange(try Self.strings())
                _ = exchange.begin()
                for before in 0..<index { _ = exchange.ended(.ok(before == 0 ? [2, 0] : [])) }
                let expected: Exchange.Action
                switch (outcome, step) {
                case (.stalled, .protocolQuery): expected = .failed(.notSupported)
                case (.stalled, _): expected = .failed(.refused(step))
                case (.timedOut, _): expected = .failed(.silent(step))
                case (.gone, .start): expected = .started(protocolVersion: 2)
                case (.gone, _): expected = .failed(.gone(step))
                default:
                    expected = .failed(
                        .transport(step, try #require(USBPipeFailure(outcome, step: step.name))))
                }
                #expect(exchange.ended(outcome) == expected, "\(step) \(outcome)")
                #expect(exchange.ended(.ok([2, 0])) == .none, "it is over")
            }
        }
    }

    @Test(
        arguments: [
            ([0, 0], .notSupported), ([], .badAnswer(bytes: 0)), ([2], .badAnswer(bytes: 1)),
            ([2, 0, 0], .badAnswer(bytes: 3)),
        ] as [([UInt8], AccessoryModeExchange.Failure)])
    func answersThatEndIt(answer: [UInt8], failure: AccessoryModeExchange.Failure) throws {
        var exchange = Exchange(try Self.strings())
        _ = exchange.begin()
        #expect(exchange.ended(.ok(answer)) == .failed(failure))
    }

    @Test func stringsHaveALimit() throws {
        func strings(_ serial: String) throws(AccessoryStrings.Problem) -> AccessoryStrings {
            try AccessoryStrings(
                manufacturer: "m", model: "m", description: "", version: "", uri: "", serial: serial)
        }
        let longest = String(repeating: "x", count: 255)
        #expect(try strings(longest).terminated(.serial).count == 256)
        #expect(throws: AccessoryStrings.Problem.tooLong(.serial, bytes: 256)) { try strings(longest + "x") }
        #expect(throws: AccessoryStrings.Problem.tooLong(.serial, bytes: 256)) {
            try strings(String(repeating: "ü", count: 128))
        }
        #expect(throws: AccessoryStrings.Problem.holdsNUL(.serial)) { try strings("a\0b") }
    }

    @Test func failuresSayWhatHappened() {
        let failures: [Exchange.Failure] = [
            .notSupported, .badAnswer(bytes: 1), .refused(.start), .silent(.string(.uri)), .gone(.protocolQuery),
            .transport(.start, .stuck),
        ]
        #expect(
            failures.map(\.name) == [
                "accessoryNotSupported", "accessoryAnswerUnknown", "accessoryRefused", "accessorySilent", "gone",
                "stuck",
            ])
        #expect(failures[3].description == "the phone did not answer the string uri in time")
    }
}

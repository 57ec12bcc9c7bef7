import ControlProtocol
import LinkProtocol

/// Whole handshakes, both ends in memory: detection, synchronisation, authentication, identification and start, until both
/// ends are active.
enum HandshakeBenchmarks {
    static var all: [Benchmark] { [1, 10, 100, 1_000].map(atOnce) + AuthenticationShape.allCases.map(signed) }

    /// So many sessions that go on in turn, one read each, with the fixed test signer.
    static func atOnce(_ count: Int) -> Benchmark {
        Benchmark(
            name: "handshake.\(count)-at-once", unit: "", unitsPerRun: Double(count), itemsPerRun: Double(count),
            work: { run(count, HandshakeSigner()) })
    }

    /// One session with signatures of libcrypto, in turn with the fixed test signer.
    static func signed(_ shape: AuthenticationShape) -> Benchmark {
        Benchmark(
            name: "handshake.signed-\(shape.rawValue)", unit: "", unitsPerRun: 1, itemsPerRun: 1,
            unavailability: HandshakeSigner.unavailability, work: { run(1, HandshakeSigner.real(shape)) },
            baseline: { run(1, HandshakeSigner(shape)) })
    }

    private static func run(_ count: Int, _ signer: HandshakeSigner) {
        var pairs = (0..<count).map { _ in HandshakePair(signer) }
        for index in pairs.indices { pairs[index].start() }
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for index in pairs.indices where pairs[index].exchange() { isQuiet = false }
        }
        precondition(
            pairs.allSatisfy { $0.isActive },
            "HandshakeBenchmarks: a session is not active: \(pairs.first { !$0.isActive }.map(\.phases) ?? "")")
    }
}

/// The two ends of one handshake.
struct HandshakePair {
    private var unit: JoinedEnd<AccessoryControlMachine>
    private var phone: JoinedEnd<DeviceControlMachine>
    private var toUnit: [UInt8] = []
    private var toPhone: [UInt8] = []

    private static let identification = Identification(
        name: "Bench unit", modelIdentifier: "BU-1", manufacturer: "Dashrig", serialNumber: "0001",
        firmwareVersion: "1.0", hardwareVersion: "1.0", messagesSent: [.powerSourceUpdate, .carPlayStartSession],
        messagesReceived: [
            .deviceInformationUpdate, .deviceLanguageUpdate, .deviceTransportIdentifierNotification,
            .carPlayAvailability,
        ])
    private static let phoneConfiguration = DeviceConfiguration(
        order: .authenticationFirst, identifiers: DeviceTransportIdentifiers(usb: "0000"), startDelay: 0,
        powerQuiet: 0)

    init(_ signer: HandshakeSigner) {
        let configuration = AccessoryConfiguration(
            identification: Self.identification, certificate: signer.certificate,
            power: PowerSourceUpdate(availableCurrent: 1_000, chargesBattery: true))
        unit = JoinedEnd(
            link: LinkMachine(side: .accessory, parameters: .accessory, initialSequence: 0),
            control: AccessoryControlMachine(configuration: configuration), signer: signer)
        phone = JoinedEnd(
            link: LinkMachine(side: .device, parameters: .device, initialSequence: 0x2D),
            control: DeviceControlMachine(configuration: Self.phoneConfiguration), signer: signer)
    }

    /// How far both ends are, for a message.
    var phases: String { "unit \(unit.control.phase), phone \(phone.control.phase)" }

    var isActive: Bool { unit.control.phase == .active && phone.control.phase == .active }

    mutating func start() {
        phone.start(sending: &toUnit)
        unit.start(sending: &toPhone)
    }

    /// Carries one read each way; false when there was nothing to carry.
    mutating func exchange() -> Bool {
        guard !toUnit.isEmpty || !toPhone.isEmpty else { return false }
        if !toPhone.isEmpty {
            let bytes = toPhone
            toPhone = []
            phone.receive(bytes[...], sending: &toUnit)
        }
        if !toUnit.isEmpty {
            let bytes = toUnit
            toUnit = []
            unit.receive(bytes[...], sending: &toPhone)
        }
        return true
    }
}

import ControlProtocol
import HIDReports
import InputCore
import LinkProtocol
import RigConfiguration
import RigModel

extension ControlProtocol.PhoneConditions {
    /// What a person set on a phone, as the phone's machine takes it.
    init(_ conditions: RigModel.PhoneConditions) {
        self.init(
            isLocked: conditions.locked, trust: conditions.trusted ? .trusted : .undecided,
            trustAfter: conditions.trusted ? nil : conditions.trustAfter, answerDelay: conditions.slow,
            delays: ControlProtocol.AnswerDelays(conditions.delays),
            refusal: conditions.refuse.map(PhoneRefusal.init),
            misorder: conditions.misorder.map(ControlProtocol.PhoneMisorder.init), isCarPlayOn: conditions.carPlay)
    }
}

extension PhoneRefusal {
    fileprivate init(_ step: HandshakeStep) {
        switch step {
        case .authentication, .signature: self = .signature
        case .certificate: self = .certificate
        case .identification: self = .identification
        case .trust: self = .trust
        case .session: self = .session
        }
    }
}

extension ControlProtocol.PhoneMisorder {
    fileprivate init(_ misorder: RigModel.PhoneMisorder) {
        switch misorder {
        case .identificationEarly: self = .identificationEarly
        case .challengeFirst: self = .challengeFirst
        case .resultFirst: self = .resultFirst
        case .acceptanceFirst: self = .acceptanceFirst
        case .offerFirst: self = .offerFirst
        }
    }
}

extension ControlProtocol.AnswerDelays {
    fileprivate init(_ delays: RigModel.AnswerDelays) {
        self.init()
        self[.certificateRequest] = delays[.certificateRequest]
        self[.challenge] = delays[.challenge]
        self[.authenticationVerdict] = delays[.authenticationVerdict]
        self[.identificationRequest] = delays[.identificationRequest]
        self[.identificationVerdict] = delays[.identificationVerdict]
        self[.information] = delays[.information]
        self[.sessionOffer] = delays[.sessionOffer]
    }
}

extension SessionWait {
    /// The published name of what a control machine waits for.
    init(_ wait: ControlWait) {
        switch wait {
        case .locked: self = .locked
        case .trust: self = .untrusted
        case .carPlayOff: self = .carPlayOff
        case .sessionRefused: self = .sessionRefused
        }
    }
}

extension Reason {
    /// Why a link ended.
    init(_ failure: LinkFailure) {
        let party: Party
        switch failure.fault {
        case .local: party = .local
        case .peer: party = .peer
        case .transport: party = .device
        }
        self.init(Self.code(failure.name), party, failure.reason)
    }

    /// Why a handshake or a session failed. A step that took too long is named: `challengeTimedOut`.
    init(_ failure: ControlFailure) {
        let party: Party
        switch failure.fault {
        case .local: party = .local
        case .peer: party = .peer
        }
        switch failure {
        case .stepTimedOut(let step): self.init("\(step.name)TimedOut", party, failure.reason)
        case .authenticationRefused, .identificationRefused, .credentialRefused, .setToRefuse,
            .identificationUnacceptable, .identificationCancelled, .trustRefused, .signatureUnavailable,
            .unexpectedMessage, .malformedMessage, .unencodable, .brokenStream:
            self.init(Self.code(failure.name), party, failure.reason)
        }
    }

    /// Whether the head unit was not authenticated: the handshake is tried again, ever later. A person's refusal of trust
    /// is none.
    var isAuthenticationFailure: Bool { Self.authenticationFailures.contains(code) }

    private static let authenticationFailures: Set<String> = {
        let failures: [ControlFailure] =
            [.authenticationRefused, .setToRefuse(.certificate), .setToRefuse(.signature)]
            + CertificateRefusal.allCases.map { .credentialRefused($0, nil) }
        return Set(failures.map { Reason($0).code })
    }()

    /// `link.detect-timed-out` becomes `detectTimedOut`.
    private static func code(_ name: String) -> String {
        let words = name.split(separator: ".").last?.split(separator: "-") ?? []
        return words.enumerated().map { index, word in
            index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }
}

extension Identification {
    /// What a head unit of this profile says it is: the session starts on the link, over USB with the unit as device.
    init(_ unit: HeadUnitProfile, version: String) {
        self.init(
            name: unit.name, modelIdentifier: unit.model, manufacturer: unit.manufacturer, serialNumber: "DASHRIG-1",
            firmwareVersion: version.isEmpty ? "0" : version, hardwareVersion: "1",
            messagesSent: [
                .carPlayStartSession, .powerSourceUpdate, .startHID, .accessoryHIDReport, .stopHID,
            ] + Self.told(by: .accessory),
            messagesReceived: [
                .carPlayAvailability, .deviceInformationUpdate, .deviceLanguageUpdate,
                .deviceTransportIdentifierNotification, .deviceHIDReport,
            ] + Self.told(by: .device),
            components: Self.inputComponents(unit))
    }

    /// The input devices for which there is a component: those that a player or a headset has, too.
    private static func inputComponents(_ unit: HeadUnitProfile) -> [IdentificationComponent] {
        HIDInputEncoder(displays: unit.displays).outlets.compactMap { outlet in
            let function: HIDComponent.Function
            switch outlet.input.function {
            case .mediaKeys: function = .mediaRemote
            case .telephonyKeys: function = .headset
            case .knob, .touchpad, .touchscreen, .unknown: return nil
            }
            // A name of ours fits every component.
            return try? IdentificationComponent(HIDComponent(id: outlet.id, name: outlet.name, function: function))
        }
    }

    /// Everything that one side tells in a subscription of the other, with what starts and stops it: a bench's head unit
    /// takes and sends all of it, so that a scenario can.
    private static func told(by side: MessageID.Sender) -> [MessageID] {
        Subscription.all.flatMap { [$0.start] + $0.updates + [$0.stop] }.filter { $0.sender == side }
    }
}

extension DisplayDeclaration {
    /// A display as the head unit declares it on the link. The view area in use comes first.
    init(_ display: DisplayDescription) {
        var areas = display.viewAreas
        if areas.indices.contains(display.currentViewArea) { areas.swapAt(0, display.currentViewArea) }
        var inputs: Inputs = []
        for input in display.inputs {
            switch input {
            case .touchscreen: inputs.insert(.touchscreen)
            case .touchpad: inputs.insert(.touchpad)
            case .knob: inputs.insert(.knob)
            case .keys: inputs.insert(.keys)
            }
        }
        let primary: PrimaryInput
        switch display.primaryInput {
        case .touchscreen: primary = .touchscreen
        case .touchpad: primary = .touchpad
        case .knob: primary = .knob
        case .keys: primary = .none
        }
        let fidelity: TouchFidelity
        switch display.touchFidelity {
        case .none: fidelity = .none
        case .low: fidelity = .low
        case .high: fidelity = .high
        }
        self.init(
            name: display.name, role: display.role == .main ? .main : .instrumentCluster,
            pixelWidth: UInt16(clamping: display.pixels.width), pixelHeight: UInt16(clamping: display.pixels.height),
            scaleHundredths: UInt16(clamping: display.scaleHundredths),
            framesPerSecond: UInt16(clamping: display.framesPerSecond),
            millimetreWidth: display.millimetresAssumed ? 0 : UInt16(clamping: display.widthMillimetres),
            millimetreHeight: display.millimetresAssumed ? 0 : UInt16(clamping: display.heightMillimetres),
            viewAreas: areas.map { ViewArea(area: Rectangle($0.frame), safeArea: Rectangle($0.safeArea)) },
            primaryInput: primary, inputs: inputs, touchFidelity: fidelity,
            appearance: display.appearance == .light ? .light : .dark,
            driverSide: display.driverSide == .left ? .left : .right)
    }
}

extension DisplayDeclaration.Rectangle {
    fileprivate init(_ rect: PixelRect) {
        self.init(
            x: UInt16(clamping: rect.x), y: UInt16(clamping: rect.y), width: UInt16(clamping: rect.width),
            height: UInt16(clamping: rect.height))
    }

    fileprivate var rect: PixelRect { PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)) }
}

extension DisplayDescription {
    /// A display as a head unit declared it on the link. Millimetres that it did not tell are assumed.
    init(_ declaration: DisplayDeclaration) {
        let pixels = PixelSize(width: Int(declaration.pixelWidth), height: Int(declaration.pixelHeight))
        let isMeasured = declaration.millimetreWidth > 0 && declaration.millimetreHeight > 0
        let assumed = HeadUnitProfile.assumedMillimetres(
            pixels: pixels, scaleHundredths: Int(declaration.scaleHundredths))
        var inputs: [DisplayInput] = []
        if declaration.inputs.contains(.touchscreen) { inputs.append(.touchscreen) }
        if declaration.inputs.contains(.touchpad) { inputs.append(.touchpad) }
        if declaration.inputs.contains(.knob) { inputs.append(.knob) }
        if declaration.inputs.contains(.keys) { inputs.append(.keys) }
        let primary: DisplayInput
        switch declaration.primaryInput {
        case .touchscreen: primary = .touchscreen
        case .touchpad: primary = .touchpad
        case .knob: primary = .knob
        case .none: primary = inputs.first ?? .keys
        }
        let fidelity: RigModel.TouchFidelity
        switch declaration.touchFidelity {
        case .none: fidelity = .none
        case .low: fidelity = .low
        case .high: fidelity = .high
        }
        self.init(
            name: declaration.name, role: declaration.role == .main ? .main : .instrumentCluster, pixels: pixels,
            scaleHundredths: Int(declaration.scaleHundredths),
            widthMillimetres: isMeasured ? Int(declaration.millimetreWidth) : assumed.width,
            heightMillimetres: isMeasured ? Int(declaration.millimetreHeight) : assumed.height,
            millimetresAssumed: !isMeasured, framesPerSecond: Int(declaration.framesPerSecond),
            viewAreas: declaration.viewAreas.map {
                RigModel.ViewArea(frame: $0.area.rect, safeArea: $0.safeArea.rect)
            },
            primaryInput: primary, inputs: inputs, touchFidelity: fidelity,
            appearance: declaration.appearance == .light ? .light : .dark,
            driverSide: declaration.driverSide == .left ? .left : .right)
    }
}

extension SessionPhase {
    /// The published name of a control machine's phase; `active` and `closed` have events of their own.
    init?(_ phase: ControlPhase) {
        switch phase {
        case .authenticating: self = .authenticating
        case .identifying: self = .identifying
        case .starting: self = .starting
        case .idle, .active, .closed: return nil
        }
    }
}

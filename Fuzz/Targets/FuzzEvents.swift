import RigModel

/// Events and their parts, made from an input's decisions.
enum FuzzEvents {
    static let deviceNames = ["phone", "iphone-1", "a", "b", "nobody", "Ä\u{301}"]

    static func event(_ input: inout FuzzInput, at time: UInt64) -> Event {
        let kind = input.pick(EventKind.allCases)
        var event = Event(sequence: 1, time: time, kind: kind, origin: input.pick(Origin.allCases))
        event.device = input.optional {
            DeviceReference(name: $0.pick(deviceNames), generation: UInt32($0.int(0...3)))
        }
        event.session = input.optional { SessionID(UInt32($0.byte())) }
        event.display = input.optional { "s\($0.byte())/main" }
        event.input = input.optional {
            InputReference(
                id: InputID(UInt64($0.byte())), source: "injected", revision: $0.optional { UInt32($0.byte()) },
                tag: $0.optional { $0.text(upTo: 8) })
        }
        event.payload = payload(of: kind, &input)
        event.reason = input.optional {
            Reason($0.pick(["surpriseRemoval", "unplugged", "x"]), $0.pick(Party.allCases), $0.text(upTo: 16))
        }
        return event
    }

    private static func payload(of kind: EventKind, _ input: inout FuzzInput) -> EventPayload {
        switch kind {
        case .inputKnob, .inputTouch, .inputTouchpad, .inputKey: .input(inputEvent(&input))
        case .inputIntent:
            .intent(
                input.pick([.press, .pressTurn(detents: 2), .swipe(.left, fingers: 1, speed: 9), .scroll(x: 1, y: 0)]))
        case .mark, .configurationRefused, .leaseTaken: .text(input.text(upTo: 32))
        case .faultArmed, .faultStruck, .faultCleared:
            .fault(
                Fault(
                    id: FaultID(input.long()),
                    request: FaultRequest(
                        input.pick(FaultKind.allCases), device: input.optional { $0.pick(deviceNames) },
                        direction: input.pick(FaultDirection.allCases),
                        place: FaultPlace(at: input.pick(FaultPlace.atNames)) ?? .anywhere, after: Int(input.word()),
                        count: input.optional { Int($0.word()) }, duration: input.optional { $0.wide() }), device: nil),
                strike: input.optional {
                    FaultStrike(
                        direction: .toDevice, packet: $0.wide(), phase: $0.pick(SessionPhase.allCases),
                        bytes: Int($0.word()), effect: $0.text(upTo: 8))
                }, ending: input.optional { $0.pick(FaultEnding.allCases) })
        case .inputStep: .step(input.pick(InputStep.allCases), app: input.optional { AppID(UInt32($0.byte())) })
        case .streamLost: .lost(from: input.wide(), to: input.wide(), merged: input.wide())
        case .vehicleChanged:
            .vehicle(
                Vehicle(appearance: input.pick(Appearance.allCases), driverSide: input.pick(DriverSide.allCases)),
                changed: VehicleField.allCases.filter { _ in input.bool() },
                derivation: input.optional {
                    VehicleDerivation(
                        property: $0.pick(DerivedProperty.allCases), value: $0.text(upTo: 8),
                        cause: $0.pick(VehicleField.allCases), measured: $0.text(upTo: 8), rule: $0.text(upTo: 8))
                })
        case .displayAdded, .displayChanged:
            .display(
                Display(
                    session: SessionID(1),
                    description: DisplayDescription(
                        name: "main", pixels: PixelSize(width: Int(input.word()), height: Int(input.word())),
                        widthMillimetres: 1, heightMillimetres: 1), revision: input.long(), origin: .declared))
        case .deviceAttached, .deviceChanged, .deviceDetached, .phoneChanged:
            .device(
                Device(
                    id: DeviceID(1), name: input.pick(deviceNames), facts: facts(&input), peer: .simulated,
                    phone: input.optional { phone(&$0) }))
        case .appLaunched, .appEnded:
            .app(App(id: AppID(1), name: input.text(upTo: 8), device: nil, session: nil, uid: input.long()))
        case .linkIrregularity:
            .irregularity(
                Irregularity(
                    layer: input.pick(Irregularity.Layer.allCases), end: .rig, rule: input.text(upTo: 8),
                    party: input.pick(Party.allCases), reaction: "drop", text: input.text(upTo: 16)))
        case .messageSent, .messageReceived:
            .message(
                LinkMessage(
                    name: input.text(upTo: 8), number: "0x5001", sender: input.pick(LinkSide.allCases),
                    fields: .object([RecordField("text", .string(input.text(upTo: 8)))])))
        case .fileReceived:
            .file(
                LinkFile(
                    transfer: input.byte(), type: input.optional { $0.word() }, size: Int(input.word()),
                    sender: input.pick(LinkSide.allCases)))
        case .deviceRefused, .sessionOpened, .sessionPhase, .sessionWaiting, .sessionActive, .sessionClosed,
            .displayRemoved, .frontChanged, .inputLost, .configurationReloaded, .resync:
            .none
        }
    }

    static func facts(_ input: inout FuzzInput) -> DeviceFacts {
        var facts = DeviceFacts(
            kind: input.pick(DeviceKind.allCases), profile: input.pick(["iphone", "knob", "head-unit", "a-1"]),
            vendor: input.optional { $0.word() }, product: input.optional { $0.word() },
            serial: input.pick(["", "0123456789", "00000000", "short", "another-serial"]),
            port: input.pick(["1-1", "1-2", "1-1.4", "virtual"]), origin: .observed)
        facts.hasLinkInterface = facts.port == "1-2"
        return facts
    }

    static func phone(_ input: inout FuzzInput) -> PhoneConditions {
        let flags = input.byte()
        return PhoneConditions(
            locked: flags & 1 != 0, trusted: flags & 2 == 0, slow: flags & 4 != 0 ? UInt64(input.byte()) << 28 : 0,
            refuse: flags & 8 != 0 ? input.pick(refusals) : nil,
            linkVersion: flags & 16 != 0 ? Int(flags >> 5) : nil)
    }

    /// What a phone could refuse when the first inputs were kept; `RigLink` knows the others.
    static let refusals: [HandshakeStep] = [.authentication, .identification, .session]

    static func inputEvent(_ input: inout FuzzInput) -> InputEvent {
        switch input.int(0...7) {
        case 0, 1: .knob(.rotate(detents: input.pick([1, -1, 2, .max, .min])))
        case 2: .knob(.pressed)
        case 3: .knob(.released(held: input.wide(), long: input.bool()))
        case 4: .knob(.nudge(input.pick(NudgeDirection.allCases), down: input.bool()))
        case 5: .key(KeyEvent(key: input.pick(Key.allCases), down: input.bool()))
        case 6:
            .touch(
                TouchEvent(
                    contacts: (0..<input.int(0...3)).map {
                        Contact(
                            id: $0,
                            point: PixelPoint(x: coordinate(&input), y: coordinate(&input)),
                            phase: input.pick(ContactPhase.allCases))
                    }))
        default:
            .touchpad(
                TouchpadEvent(
                    contacts: (0..<input.int(0...3)).map {
                        PadContact(
                            id: $0, point: PadPoint(x: coordinate(&input), y: coordinate(&input)),
                            phase: input.pick(ContactPhase.allCases))
                    }))
        }
    }

    /// Pixels; one device in many reports nonsense.
    private static func coordinate(_ input: inout FuzzInput) -> Int {
        let byte = input.byte()
        switch byte {
        case 254: return .max
        case 255: return .min
        default: return Int(byte) * 8
        }
    }
}

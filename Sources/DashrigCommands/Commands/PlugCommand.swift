internal import DashrigClient
internal import LinuxIO
internal import RigConfiguration
internal import RigModel
internal import VarlinkProtocol

enum PlugCommand {
    static let syntax = CommandSyntax(
        "plug", .plug, "plug in a virtual device and wait for its session",
        discussion: [
            "Plugs in a device of a profile ('dashrig profiles' lists them) and waits until its session is active. Exit "
                + "code 1 says that it did not become active, and the text says at which step and why.",
            "A phone that is plugged in locked or untrusted waits by intention: then the command ends when it does. A "
                + "name that was there before and is unplugged returns as the same device, with the next generation.",
            "With --json: an object with device, session and the list displays.",
        ],
        operands: [OperandSyntax("PROFILE", .name(.profile), "what to plug in: iphone, android, head-unit, ...")],
        options: [
            OptionSyntax("--name", "NAME", .text(limit: 32), "its name; else profile and number: iphone-1"),
            OptionSyntax("--serial", "TEXT", .text(limit: 126), "its serial number; else the profile's"),
            OptionSyntax(
                "--displays", "HEADUNIT", .name(.headUnit), "the head unit whose displays it is shown"),
            OptionSyntax(flag: "--locked", "it comes locked; 'unlock' lets it go on"),
            OptionSyntax(flag: "--untrusted", "nobody tapped trust; 'trust' lets it go on"),
            OptionSyntax(
                "--slow", "TIME", .duration(0...PhoneOptions.slowest), "it answers each step so much later: 200ms"),
            OptionSyntax(
                "--late", "ANSWER=TIME", .timedWord(PhoneOptions.answers, 0...AnswerDelays.maximum),
                "it gives this one answer so much later; may be given again: challenge=500ms"),
            OptionSyntax(
                "--trust-after", "TIME", .duration(0...PhoneConditions.maximumTrustDelay),
                "its user taps trust so long after it is asked: 5s"),
            OptionSyntax("--misorder", "WHAT", .word(PhoneOptions.misorders), "it does this in the wrong order"),
            OptionSyntax(flag: "--no-carplay", "CarPlay is switched off; 'carplay' lets it go on"),
            OptionSyntax("--refuse", "STEP", .word(PhoneOptions.steps), "it refuses this step of the handshake"),
            OptionSyntax(
                "--link-version", "N", .integer(PhoneConditions.linkVersions),
                "the newest link version that it speaks; else the configured one"),
            OptionSyntax(flag: "--identification-first", "it identifies the head unit before it authenticates it"),
            OptionSyntax(flag: "--no-wait", "do not wait for the session"),
        ],
        examples: [
            Example("dashrig plug iphone", "Plug in an iPhone and wait until its session is active."),
            Example(
                "dashrig plug iphone --name anna --displays wide",
                "Give it a name, and the displays of the head unit 'wide'."),
            Example(
                "dashrig plug iphone --locked && dashrig unlock iphone-1", "Plug in a locked phone, then unlock it."),
            Example("dashrig plug iphone --refuse authentication; echo $?", "See what a refused head unit looks like."),
            Example(
                "dashrig plug iphone --late challenge=500ms --late sessionOffer=2s",
                "Let it send its challenge half a second later, and offer the session 2 s later."),
            Example("dashrig plug head-unit", "Play the phone for a virtual head unit."),
        ],
        action: run)

    @Sendable private static func run(_ call: Invocation) throws(CommandLineFailure) -> ExitCode {
        let request = request(call.arguments)
        let waits = !call.arguments.flag("--no-wait")
        // The stream begins before the plug, so that nothing is missed between the two.
        let connection = try call.connect()
        let events = call.access.events(EventFilter(kinds: ["device", "session"]))
        if waits { try awaitState(events, call) }
        let device = try plug(request, connection, call)
        guard waits, device.role != nil else {
            report(device, session: nil, displays: [], call)
            return .done
        }
        let patience = call.access.timeout ?? standardPatience
        let start = SystemClock.monotonicNow()
        let deadline = start.addingClamped(patience)
        var watch = SessionWatch(device: device, request: request)
        while watch.outcome == nil {
            let now = SystemClock.monotonicNow()
            guard now < deadline else {
                throw .failed(name: .sessionTimedOut, text: watch.timedOut(patience))
            }
            let seconds = (now - start) / 1_000_000_000
            let since = seconds >= 2 ? " (\(seconds) s, Ctrl-C stops)" : ""
            call.output.progress("\(device.id): \(watch.phase)\(since)")
            // A tick, so that a person sees that time passes.
            let tick = min(deadline, now.addingClamped(500_000_000))
            let step = try call.follow { () throws(ClientFailure) in try events.next(until: tick) }
            if case .update(let update) = step { watch.take(update) }
        }
        call.output.clearProgress()
        return try finish(watch, connection, call)
    }

    /// How long a session may take when nobody says: a minute.
    private static let standardPatience: UInt64 = 60_000_000_000

    private static func request(_ arguments: Arguments) -> PlugRequest {
        var delays = AnswerDelays()
        for (word, time) in arguments.timedWords("--late") {
            if let answer = PhoneAnswer(rawValue: word) { delays[answer] = time }
        }
        return PlugRequest(
            profile: arguments.required("PROFILE"), name: arguments.text("--name"),
            serial: arguments.text("--serial"), displays: arguments.text("--displays"),
            phone: PhoneConditions(
                locked: arguments.flag("--locked"),
                trusted: !arguments.flag("--untrusted") && arguments.duration("--trust-after") == nil,
                trustAfter: arguments.duration("--trust-after"), slow: arguments.duration("--slow") ?? 0,
                delays: delays, refuse: arguments.text("--refuse").flatMap(HandshakeStep.init),
                misorder: arguments.text("--misorder").flatMap(PhoneMisorder.init),
                carPlay: !arguments.flag("--no-carplay"), linkVersion: arguments.number("--link-version")),
            identificationFirst: arguments.flag("--identification-first"))
    }

    private static func awaitState(_ events: RigEventCursor, _ call: Invocation) throws(CommandLineFailure) {
        let deadline = SystemClock.monotonicNow().addingClamped(call.access.callTimeout)
        while true {
            switch try call.ask({ () throws(ClientFailure) in try events.next(until: deadline) }) {
            case .update(.state): return
            case .update(.disconnected(let failure)): throw .rig(failure)
            case .update(.event), .update(.lost): continue
            case .deadline: throw .rig(.timedOut(method: "org.dashrig.Rig.Subscribe", after: call.access.callTimeout))
            }
        }
    }

    /// Plugs in; a wrong profile or head unit is told with those that there are.
    private static func plug(
        _ request: PlugRequest, _ connection: RigConnection, _ call: Invocation
    ) throws(CommandLineFailure) -> DeviceView {
        do {
            return try connection.plug(request)
        } catch {
            guard case .refused(let refusal) = error, let profiles = try? connection.listProfiles() else {
                throw .rig(error)
            }
            switch refusal.invalidParameter {
            case "profile":
                throw unknown(
                    refusal, "there is no device profile \"\(request.profile)\"", request.profile,
                    profiles.profiles.map(\.name))
            case "displays":
                let name = request.displays ?? ""
                throw unknown(refusal, "there is no head unit \"\(name)\"", name, profiles.headUnits.map(\.name))
            default: throw .rig(error)
            }
        }
    }

    private static func unknown(
        _ refusal: Refusal, _ text: String, _ name: String, _ known: [String]
    ) -> CommandLineFailure {
        // Refused for another reason than that it is unknown.
        if known.contains(name) { return .rig(.refused(refusal)) }
        return .usage(
            UsageFailure(
                "\(text); there is \(known.joined(separator: ", "))",
                suggestion: Spelling.nearest(to: name, among: known), path: ["plug"]))
    }

    private static func finish(
        _ watch: SessionWatch, _ connection: RigConnection, _ call: Invocation
    ) throws(CommandLineFailure) -> ExitCode {
        switch watch.outcome {
        case .failed(let reason, let text)?:
            throw .sessionFailed(code: reason, text: text)
        case .active?, .waits?, nil:
            let state = try call.ask { () throws(ClientFailure) in try connection.state() }
            let device = state.device(watch.device.id) ?? watch.device
            let session = device.session.flatMap { state.session($0) }
            report(device, session: session, displays: session.map { state.displays(of: $0.id) } ?? [], call)
            return .done
        }
    }

    private static func report(
        _ device: DeviceView, session: SessionView?, displays: [DisplayView], _ call: Invocation
    ) {
        let output = call.output
        if output.isJSON {
            var object: JSONObject = ["device": JSON(device.record)]
            object["session"] = session.map { JSON($0.record) }
            object["displays"] = .array(displays.map { JSON($0.record) })
            output.json(.object(object))
            return
        }
        let name = output.style.text(PrintableText.escaped(device.id), .name)
        guard let session else {
            output.line("\(name) is plugged in")
            return
        }
        if let waiting = session.waiting {
            let id = PrintableText.escaped(device.id)
            let command =
                switch SessionWait(rawValue: waiting) {
                case .locked?: "unlock \(id)"
                case .carPlayOff?: "carplay \(id) on"
                case .untrusted?, .sessionRefused?, .credentials?, nil: "trust \(id)"
                }
            output.line(
                "\(name) is plugged in and waits: \(StateText.waiting(waiting)). Go on with: dashrig \(command)")
            return
        }
        let after = Durations.readiness(session).map { " after \($0)" } ?? ""
        output.line(
            "\(name) is plugged in, session \(session.id) is \(output.style.text(session.phase, .good))\(after)")
        for display in displays {
            let text = PrintableText.escaped("\(display.id)  \(StateText.size(display))")
            output.line("  display \(text)")
        }
    }
}

/// What a plug waits for.
struct SessionWatch {
    enum Outcome: Equatable {
        /// The session is active.
        case active
        /// It waits for a person, as was asked for.
        case waits
        /// It will not become active.
        case failed(name: String, text: String)
    }

    let device: DeviceView
    let request: PlugRequest
    /// How far it has come, in words.
    private(set) var phase = "plugged in"
    private(set) var outcome: Outcome?

    init(device: DeviceView, request: PlugRequest) {
        self.device = device
        self.request = request
    }

    mutating func take(_ update: RigUpdate) {
        switch update {
        case .event(let event):
            guard event.device == device.id, event.generation == device.generation else { return }
            take(event)
        case .disconnected(let failure):
            outcome = .failed(name: failure.name, text: "\(device.id) is gone with its rig: \(failure.text)")
        case .state(let state): take(state)
        case .lost: return
        }
    }

    private mutating func take(_ event: EventView) {
        switch EventKind(rawValue: event.kind) {
        case .sessionActive?: outcome = .active
        case .sessionPhase?, .sessionOpened?:
            phase = event.record.text("sessionState.phase") ?? phase
        case .sessionWaiting?:
            waiting(event.record.text("sessionState.waiting") ?? "")
        case .sessionClosed?: fail(event.reason ?? event.record.value(at: "sessionState.reason").map(ReasonView.init))
        case .deviceDetached?: fail(event.reason)
        case .deviceChanged?:
            let now = DeviceView(event.record.value(at: "deviceState") ?? .null)
            switch DeviceState(rawValue: now.state) {
            case .failed?, .busy?, .stuck?, .detached?: fail(now.reason ?? event.reason)
            case .attached?, .connecting?, .active?, .reenumerating?, nil: return
            }
        default: return
        }
    }

    /// Events that were missed are made up for by the state.
    private mutating func take(_ state: StateView) {
        guard let now = state.device(device.id), now.generation == device.generation else { return }
        guard let session = now.session.flatMap({ state.session($0) }) else { return }
        phase = session.phase
        if session.phase == SessionPhase.active.rawValue { outcome = .active }
        if let wait = session.waiting { waiting(wait) }
    }

    private mutating func waiting(_ wait: String) {
        guard !wait.isEmpty else { return }
        phase = "waiting: \(StateText.waiting(wait))"
        switch SessionWait(rawValue: wait) {
        case .locked?: if request.phone.locked { outcome = .waits }
        // Somebody who trusts by and by needs no command.
        case .untrusted?: if !request.phone.trusted, request.phone.trustAfter == nil { outcome = .waits }
        case .carPlayOff?: if !request.phone.carPlay { outcome = .waits }
        // What the head unit's deadline ends.
        case .sessionRefused?: return
        case .credentials?, nil: return
        }
    }

    private mutating func fail(_ reason: ReasonView?) {
        let why = reason.map { $0.text.isEmpty ? $0.code : $0.text } ?? "no reason is given"
        outcome = .failed(
            name: reason.map(\.code).flatMap { $0.isEmpty ? nil : $0 } ?? FailureName.sessionFailed.rawValue,
            text: "\(device.id) did not get an active session (last: \(phase)): \(why)")
    }

    func timedOut(_ patience: UInt64) -> String {
        "\(device.id) has no active session after \(ConfigurationValue.format(patience)) (last: \(phase)); it stays "
            + "plugged in"
    }
}

extension UInt64 {
    /// The sum, or the largest number where there is none.
    func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

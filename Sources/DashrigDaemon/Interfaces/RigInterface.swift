/// `org.dashrig.Rig`, the control interface, as it is served: the documented truth. It only grows, by optional fields,
/// types, methods and errors; `Tests/Fixtures/interfaces` keeps a golden copy.
public enum RigInterface {
    /// The interface's name, which is also the name of its socket.
    public static let name = "org.dashrig.Rig"

    /// The methods that stream: they answer only calls with `more`.
    public static let streaming: Set<String> = ["Subscribe", "Run", "Capture", "Cycle"]

    /// The methods that this version declares and does not do yet.
    public static let reserved: Set<String> = ["Record", "Replay"]

    /// The interface file.
    public static let description = """
        # The control interface of Dashrig: what bench people and scripts ask of the rig. One call at a time on a
        # connection; a stream holds its connection until the client closes it, so use a second one for calls.
        interface org.dashrig.Rig

        \(SharedTypes.text)

        # A virtual device that Plug can make.
        type Profile (name: string, kind: string, text: string)

        # A head unit whose displays can be declared.
        type HeadUnit (name: string, text: string, displays: []string)

        # The steps of a handshake that a phone can refuse; none takes a refusal back.
        type Refusal (none, authentication, identification, session, certificate, signature, trust)

        # What a phone can do in the wrong order; none takes it back.
        type Misorder (
          none,
          identificationEarly,
          challengeFirst,
          resultFirst,
          acceptanceFirst,
          offerFirst
        )

        # Turn the knob by detents (positive is clockwise, not 0, at most 1000 either way), at once, or one each
        # intervalMilliseconds, or evenly over durationMilliseconds from the first to the last; or push it (press true) or
        # push it sideways (nudge) for holdMilliseconds (80 when absent). Exactly one of detents, press and nudge. With down
        # it is one half of a press or nudge: true and it stays down, false and it is let go.
        type KnobGesture (
          detents: ?int,
          intervalMilliseconds: ?int,
          durationMilliseconds: ?int,
          press: ?bool,
          nudge: ?(up, down, left, right, upLeft, upRight, downLeft, downRight),
          holdMilliseconds: ?int,
          down: ?bool
        )

        # A place: display pixels on a display, percent from 0 to 100 on a touchpad.
        type Point (x: float, y: float)

        # The way of one finger: down at the first point, straight from point to point, up at the last. One point is a tap.
        # id is 0 to 9; without it, fingers are numbered in order.
        type Path (points: []Point, id: ?int)

        # What one finger does at one moment: it touches down (began), goes on (moved) or is lifted (ended). x and y are the
        # place, as of Point; an end without them is where the finger is.
        type FingerChange (id: int, phase: (began, moved, ended), x: ?float, y: ?float)

        # Fingers on a display or a touchpad: either contacts, from down to up, or frame, one moment of fingers that stay down
        # until another frame ends them; those of the caller that a frame does not name stay where they are.
        # durationMilliseconds is the time from down to up: 60 for taps, 300 for paths and 100 for flicks when absent;
        # velocity says it by the speed of the finger that goes farthest, in pixels per second, or percent per second on a
        # touchpad. With flick, each finger goes from one point to another ever faster, and is lifted at its fastest, which is
        # what velocity says then.
        type TouchGesture (
          contacts: ?[]Path,
          durationMilliseconds: ?int,
          velocity: ?float,
          flick: ?bool,
          frame: ?[]FingerChange
        )

        # A key, held for holdMilliseconds (80 when absent); or with down one half of that: true and it stays down, false and
        # it is let go.
        type KeyGesture (key: string, holdMilliseconds: ?int, down: ?bool)

        # One input of a sequence: exactly one of knob, touch, touchpad and key, begun at milliseconds after the sequence's
        # beginning, with fractions, at most 600000 and not before the step before it.
        type SequenceStep (at: float, knob: ?KnobGesture, touch: ?TouchGesture, touchpad: ?TouchGesture, key: ?KeyGesture)

        # The numbers of a step's input events: first, first+1, ..., count of them.
        type StepInputs (first: int, count: int)

        # A kind of fault, what it does, and whether it takes durationMilliseconds.
        type FaultKind (name: string, text: string, takesTime: bool)

        # How far input has come: taken by the rig; its last byte taken by the app's socket or put on the link; acknowledged
        # by the app or the peer's link.
        type InputStep (accepted, delivered, read)

        # The text of a track, under the name by which a scenario's steps play it.
        type TrackFile (name: string, text: string)

        # The text of a scenario that another one includes. name is its path from that one's folder.
        type IncludedFile (name: string, text: string)

        # The value of one of a scenario's parameters.
        type ParameterValue (name: string, value: string)

        # One line of a scenario's timeline. time is nanoseconds from the scenario's start. kind: step, event, expectation,
        # note, failure. line is that of the scenario's text. lateness says how many nanoseconds later than planned a step
        # began. event is there where the entry is one.
        type TimelineEntry (
          time: int,
          kind: string,
          text: string,
          line: ?int,
          lateness: ?int,
          event: ?Event
        )

        # What failed in a scenario, where, what was expected, and what came before it. outcome as in Verdict.
        type ScenarioFailure (
          outcome: string,
          file: ?string,
          line: ?int,
          column: ?int,
          step: ?string,
          text: string,
          expected: ?string,
          hint: ?string,
          came: []TimelineEntry
        )

        # How much of a scenario was done. maximumLateness is nanoseconds.
        type RunCounts (
          steps: int,
          done: int,
          expectations: int,
          met: int,
          events: int,
          maximumLateness: int
        )

        # A scenario's result. outcome: passed, failed, scriptWrong, rigFailed, interrupted; exitCode is the one that goes
        # with it (0, 1, 2, 3, 4). duration is nanoseconds.
        type Verdict (
          name: string,
          file: string,
          outcome: string,
          exitCode: int,
          duration: int,
          counts: RunCounts,
          failures: []ScenarioFailure
        )

        # What a run holds for itself from its beginning to its end, or waits for: id (r1, r2, ...), owner (the scenario's name, or
        # what is cycled) with its uid and pid, resources (device NAME, display NAME, input), and since when, as in Event.
        type Lease (
          id: string,
          owner: string,
          uid: ?int,
          pid: ?int,
          resources: []string,
          since: int,
          waiting: bool
        )

        # One cycle: number from 1; pulledAt, where it was pulled once before it was plugged in to stay. ready: nanoseconds from
        # the plug to the active session; appeared: to the device's appearance; released: from the unplug to the end of the
        # removal. Of a cycle that failed: step (plug, unplug or a phase), code as in Reason or timedOut or notReached, and text.
        type CycleResult (
          number: int,
          pulledAt: ?string,
          ready: ?int,
          appeared: ?int,
          released: ?int,
          step: ?string,
          code: ?string,
          text: ?string
        )

        # What came of all cycles of a call.
        type CycleSummary (succeeded: int, failed: int, interrupted: bool)

        # Where a capture begins: epoch, realtime and version as in State; time is that of the capture's beginning.
        type CaptureStart (epoch: string, time: int, realtime: int, version: string)

        # One thing that a capture tells; time as in Event. kind opened: a session began, all of its bytes follow. joined: it
        # was there when the capture began. bytes: bytes (Base64) went in direction; one packet where the sender is known to
        # have sent it as one, else as they came. closed: the session is over, for reason. lost: as many records as dropped
        # says are missing here, with droppedBytes bytes of links, because the client did not read. Clients ignore kinds that
        # they do not know.
        type CaptureRecord (
          time: int,
          kind: string,
          device: ?string,
          generation: ?int,
          session: ?string,
          role: ?string,
          peer: ?string,
          direction: ?(toDevice, fromDevice),
          bytes: ?string,
          reason: ?Reason,
          dropped: ?int,
          droppedBytes: ?int
        )

        # The whole state at once. The faults that are set are no part of it; ListFaults has them.
        method GetState() -> (state: State)

        # The whole state first, in parts (state; the lists of all parts together are the whole, complete is true with the
        # last), then every change (event). kinds and devices select events: kinds are names or their beginnings up to a dot
        # (input, session.active), devices are device names. A subscriber that does not read has motion merged, is told so by
        # stream.lost, and is closed with SubscriberTooSlow in the end. Call it with more.
        method Subscribe(kinds: ?[]string, devices: ?[]string) -> (state: ?State, complete: ?bool, event: ?Event)

        # Plug in a virtual device. A name that was there before and is unplugged returns with the next generation. displays
        # names the head unit whose displays are declared. identificationFirst makes the phone identify before it
        # authenticates. linkVersion, 1 to 3, is the newest link version that the phone speaks: it answers a newer offer with
        # it. Absent, it is that of the configuration.
        method Plug(
          profile: string,
          name: ?string,
          serial: ?string,
          displays: ?string,
          locked: ?bool,
          trusted: ?bool,
          trustAfterMilliseconds: ?int,
          slowMilliseconds: ?int,
          delays: ?AnswerDelays,
          refuse: ?Refusal,
          misorder: ?Misorder,
          carPlay: ?bool,
          identificationFirst: ?bool,
          linkVersion: ?int
        ) -> (device: Device)

        # Pull a virtual device: with a goodbye, or by surprise. With a generation, only if that is the one there.
        method Unplug(device: string, surprise: ?bool, generation: ?int) -> ()

        # Lock, unlock, trust or slow down a phone, switch its CarPlay on or off, or make it refuse a step or do one in the
        # wrong order. What is absent stays. trusted takes a trustAfterMilliseconds of before back; with
        # trustAfterMilliseconds (0 to 60000) the phone does not trust until then. A head unit's phone is the rig's own.
        # A handshake that failed is tried again at once, and its pauses begin anew, when the change takes away what the
        # device's reason names: the refusal; the wrong order, where a message was unexpected; and where a step timed out, a
        # lock, missing trust, CarPlay switched off, a refused session, a wrong order, or some of the slowness. Any other
        # change leaves nextTry as it is and counts from the next try on; Retry does not wait for it.
        method SetPhone(
          device: string,
          generation: ?int,
          locked: ?bool,
          trusted: ?bool,
          trustAfterMilliseconds: ?int,
          slowMilliseconds: ?int,
          delays: ?AnswerDelays,
          refuse: ?Refusal,
          misorder: ?Misorder,
          carPlay: ?bool
        ) -> ()

        # Try the handshake with a device whose state is failed again at once, whatever it failed of. Its pauses begin anew.
        method Retry(device: string, generation: ?int) -> ()

        # Bring an Android phone into accessory mode. It answers when the phone has taken it; the phone then leaves the bus
        # (state reenumerating) and comes back as the same device with the next generation.
        method StartAccessory(device: string, generation: ?int) -> ()

        # Make an Apple phone the USB host: for CarPlay unless carPlay is false, then in the plain iAP-style mode. It answers
        # when the phone has taken it; the phone then leaves the bus and is detached with the reason roleSwitched.
        method SwitchRole(device: string, generation: ?int, carPlay: ?bool) -> ()

        # Put a device's session in front: input and apps that are bound to no device go there.
        method SetFront(device: string) -> ()

        # Change a display (id, or the name of one of the front session). What is absent stays.
        method SetDisplay(
          display: string,
          viewArea: ?int,
          safeArea: ?Rect,
          width: ?int,
          height: ?int,
          scale: ?float,
          framesPerSecond: ?int,
          appearance: ?(light, dark),
          driverSide: ?(left, right),
          limitKeyboard: ?bool,
          limitLists: ?bool,
          primaryInput: ?(touchscreen, touchpad, knob, keys)
        ) -> (display: Display)

        # Have one side of a device's active session send a message of the control session, as a scenario does: a phone's
        # NowPlayingUpdate, a head unit's VehicleStatusUpdate. message is a name of the catalogue (dashrig messages) or a
        # number (0x5001); fields go by name, groups are objects, and a whole number may be decimal text, as one above
        # 9223372036854775807 has to be. sender is needed for messages that the catalogue does not know, and only for them;
        # the other side than the rig's can only be made to send when it is simulated.
        method Send(
          device: string,
          generation: ?int,
          message: string,
          fields: ?object,
          sender: ?(phone, headUnit)
        ) -> ()

        # Change the vehicle; the displays that the rig declared follow. What is absent stays; units and ranges are those of
        # Vehicle. unknown names measures that are not known from now on: speed, gear, parkingBrake, ambientLight, location,
        # battery, fuel, range, rangeLow. What is said of appearance and the two limits here is kept, whatever the rules of
        # the head unit say, until automatic (appearance, keyboard, lists) hands it back to them. track is the text of a track
        # (see the documentation), whose points are played from now on in place of those of one under way; stopTrack ends
        # that where it is.
        method SetVehicle(
          appearance: ?(light, dark),
          driverSide: ?(left, right),
          limitKeyboard: ?bool,
          limitLists: ?bool,
          speed: ?float,
          gear: ?(park, reverse, neutral, drive),
          parkingBrake: ?bool,
          ambientLight: ?float,
          location: ?Location,
          battery: ?float,
          fuel: ?float,
          range: ?float,
          rangeLow: ?bool,
          unknown: ?[]string,
          automatic: ?[]string,
          track: ?string,
          stopTrack: ?bool
        ) -> (vehicle: Vehicle)

        # Inject one gesture, or one part of one: exactly one of knob, touch, touchpad and key. It goes the way that hardware's goes, to the
        # session of device or to the front one, and to its first display or the named one. It makes count input events, with
        # the ids first, first+1, .... reaches is the last step that the target can reach; the call answers once step wait is
        # reached (accepted when absent), or after withinMilliseconds (1000 when absent) with the step reached by then. tag
        # comes back in every event.
        # What goes down with down true or began stays down over later calls of this connection, of all its sessions at most
        # 32 controls and fingers; later calls need not name its device and display again. It is let go, fingers cancelled,
        # when its session or this connection ends, and fingers when the pixels of their display change. A second down, an up
        # of what is not down, and fingers that cannot be are refused, naming the field.
        # When it was waited for, sent is how many of its events were sent, and latestMicroseconds how late the latest of them
        # was; an event that was 2 ms late or more says so itself (input.lateMicroseconds).
        method Inject(
          knob: ?KnobGesture,
          touch: ?TouchGesture,
          touchpad: ?TouchGesture,
          key: ?KeyGesture,
          device: ?string,
          generation: ?int,
          display: ?string,
          tag: ?string,
          wait: ?InputStep,
          withinMilliseconds: ?int
        ) -> (
          first: int,
          count: int,
          session: ?string,
          reaches: string,
          reached: string,
          sent: ?int,
          latestMicroseconds: ?int
        )

        # Inject inputs at their times, 1 to 2000 steps, all to one target, which is found as by Inject. It is taken whole or
        # refused whole, naming the step and its field (steps.3.key.down), before anything is done. Each step begins at its
        # time whatever lasts longer or was late; the order is kept. What a step puts down, a later step of the same sequence
        # has to let go; it is nothing that calls of Inject hold. It makes count events, at most 50000, numbered in the order
        # of the steps; steps says which are whose. It ends early with its session and its connection, and, when it touches a
        # display, with a change of its pixels; what it holds then is let go.
        # With wait accepted, or absent, the call answers at once. Else it answers when all events are sent and have come to
        # wait, or cannot come so far, or withinMilliseconds (1000 when absent) after the time of the last one.
        method InjectSequence(
          steps: []SequenceStep,
          device: ?string,
          generation: ?int,
          display: ?string,
          tag: ?string,
          wait: ?InputStep,
          withinMilliseconds: ?int
        ) -> (
          first: int,
          count: int,
          session: ?string,
          reaches: string,
          reached: string,
          sent: ?int,
          latestMicroseconds: ?int,
          steps: []StepInputs
        )

        # Write a line of at most 1024 bytes into the timeline.
        method Mark(text: string) -> ()

        # Run a scenario whose text is sent whole. Replies with its timeline as it goes, then with its verdict. Closing the
        # connection stops it. tracks are those that its steps play, at most 64; includes are the files that it includes,
        # at most 64. values are those of its parameters. seed is what its random choices come from. A scenario with a table
        # needs the number of a row, from 1. The rig runs no programs: a scenario that has some is only taken with
        # runsPrograms, by which the caller says that it runs them and marks what they say.
        # A run holds the devices, displays and input that its steps name until it ends; when another run holds one of them,
        # it waits for waitMilliseconds (0 when absent, at most a day), and is then refused with Busy. Call it with more.
        method Run(
          scenario: string,
          name: ?string,
          tracks: ?[]TrackFile,
          includes: ?[]IncludedFile,
          values: ?[]ParameterValue,
          seed: ?int,
          row: ?int,
          runsPrograms: ?bool,
          waitMilliseconds: ?int
        ) -> (entry: ?TimelineEntry, verdict: ?Verdict)

        # Show the bytes of a device's links from now on, or of all: first start, then a record each. The device need not be
        # there yet; every session that it has from now on is shown. Only links that somebody captures cost anything. Closing
        # the connection ends it. Call it with more.
        method Capture(device: ?string) -> (start: ?CaptureStart, record: ?CaptureRecord)

        # Plug a virtual device in and pull it, count times (at most 1000000), beginning with the cycle of the number first (1
        # when absent). It is pulled when its session was active for holdMilliseconds (0). With unplugAt, a phase or packet of
        # the handshake or the word random, it is pulled there first, and then plugged in again to become active, for which it
        # has readyWithinMilliseconds (30000). intervalMilliseconds (500) lie between two cycles. seed (1) decides what random
        # means. The device is held as by Run. Replies with each cycle, then with a summary; closing the connection stops it.
        # Call it with more.
        method Cycle(
          profile: string,
          name: ?string,
          serial: ?string,
          displays: ?string,
          slowMilliseconds: ?int,
          count: int,
          first: ?int,
          unplugAt: ?string,
          intervalMilliseconds: ?int,
          holdMilliseconds: ?int,
          readyWithinMilliseconds: ?int,
          seed: ?int,
          waitMilliseconds: ?int
        ) -> (cycle: ?CycleResult, summary: ?CycleSummary)

        # What runs hold for themselves, oldest first.
        method ListLeases() -> (leases: []Lease)

        # Take from a run what it holds or waits for, by the id of ListLeases. It is interrupted and puts away what it plugged in;
        # lease.taken tells it. Without force it is only refused with Busy, which says whose it is.
        method Unlease(lease: string, force: ?bool) -> ()

        # Record what happens. Comes with a later version.
        method Record() -> ()

        # Replay a recording. Comes with a later version.
        method Replay() -> ()

        # The virtual devices and the head units there are.
        method ListProfiles() -> (profiles: []Profile, headUnits: []HeadUnit)

        # The faults that are set, of one device or of all; and what can be set: the kinds, the phases and packets that at
        # takes, and the phases that since takes.
        method ListFaults(device: ?string) -> (
          faults: []Fault,
          kinds: []FaultKind,
          at: []string,
          since: []string
        )

        # Set a fault. device need not be plugged in yet; without it the fault is for the device of the front session, or for
        # the next that is plugged in. It strikes at what comes from the device unless direction says otherwise; count times
        # (once when absent), or with always until it is cleared; when after packets have passed at its place, counted anew
        # in each session; unplug and stall also when afterBytes bytes have, even in the middle of a packet. A delay needs durationMilliseconds; reorder (100 when absent), join (20) and stall (until it is
        # cleared) take it. A fault goes with its device when that is unplugged, unless keep is true. What it does is told by
        # fault.struck.
        method SetFault(
          kind: string,
          device: ?string,
          generation: ?int,
          direction: ?(toDevice, fromDevice, both),
          at: ?string,
          since: ?string,
          after: ?int,
          afterBytes: ?int,
          count: ?int,
          always: ?bool,
          durationMilliseconds: ?int,
          keep: ?bool
        ) -> (fault: Fault)

        # Clear a fault by its id, or those of a device, or all of them. What it held back passes.
        method ClearFaults(fault: ?string, device: ?string) -> (cleared: []string)

        # There is no device of that name; known are the names there are.
        error UnknownDevice (id: string, known: []string)

        # The device has another generation now, or is unplugged.
        error StaleDevice (id: string, generation: int)

        # The caller may not do this.
        error NotPermitted (text: string)

        # A limit is reached: its name in the configuration and its value.
        error LimitReached (limit: string, value: int)

        # Somebody else holds it; since is a time as in Event.
        error Busy (owner: string, since: int)

        # The device refused what it was asked, or did not answer; code as in Reason.
        error DeviceRefused (code: string, text: string)

        # A rule of the simulated system is broken.
        error RuleBroken (rule: string, reason: string, confidence: string)

        # The scenario cannot be run: where its text is wrong, and why.
        error ScenarioWrong (problems: []string)

        # The last reply of a stream whose client did not read; sequence is that of the first event that it missed.
        error SubscriberTooSlow (sequence: int)

        """
}

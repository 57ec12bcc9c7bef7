/// The types that both interfaces publish. Varlink has no import, so each interface file carries them whole.
enum SharedTypes {
    /// The text, to be put behind the interface line.
    static let text = """
        # Where a fact comes from: observed on a bus, simulated by the rig, or declared by a configuration or a client.
        type Origin (observed, simulated, declared)

        # Why something ended or failed. code is stable lower camel case; party says whose fault it is: local (the rig),
        # peer (the other end of the link), device (the device or its cable) or client (a program on a socket); text says
        # what happened and what to do.
        type Reason (code: string, party: string, text: string)

        # A rectangle in display pixels, from the display's top left.
        type Rect (x: int, y: int, width: int, height: int)

        # Where the phone draws, and the part of it in which it may put what is touched.
        type ViewArea (frame: Rect, safeArea: Rect, drawsOutsideSafeArea: bool)

        # What may be limited while the car moves.
        type LimitedUI (keyboard: bool, lists: bool)

        # How many milliseconds later a phone gives single answers in a handshake, 0 to 2000; absent is not later.
        type AnswerDelays (
          certificateRequest: ?int,
          challenge: ?int,
          authenticationVerdict: ?int,
          identificationRequest: ?int,
          identificationVerdict: ?int,
          information: ?int,
          sessionOffer: ?int
        )

        # What was set on a phone. trustAfterMilliseconds: a person taps trust so long after the handshake came to it.
        # refuse names the handshake step that it refuses: authentication, identification, session, certificate,
        # signature, trust. misorder names what it does in the wrong order: identificationEarly, challengeFirst,
        # resultFirst, acceptanceFirst, offerFirst. carPlay: CarPlay is switched on. linkVersion is the newest link version
        # that it was plugged in with.
        type Phone (
          locked: bool,
          trusted: bool,
          trustAfterMilliseconds: ?int,
          slowMilliseconds: int,
          delays: ?AnswerDelays,
          refuse: ?string,
          misorder: ?string,
          carPlay: bool,
          linkVersion: ?int
        )

        # A device. id is its short stable name; generation is 1 at the first plug and one more at each return. The rig
        # remembers the 256 devices that were unplugged last; once it has forgotten some, a name that Plug gives begins one
        # above their highest generation, and a name of profile and number one above the highest of those forgotten whose
        # given name ended in a digit, so that no name and generation ever mean two devices. kind:
        # iPhone, iPad, iPod, androidPhone, androidAccessory, dongle, headUnit, knob, touchpad, touchscreen, keys. state:
        # attached, connecting, active,
        # failed, busy, stuck, reenumerating, detached. role is the side the rig plays: headUnit or phone. peer says who
        # answers on the link: wire or simulated. identity is the rule by which it was recognised: new, serialAndPort,
        # portWithinWindow, serial, name. mode is an Apple device's answer to "get mode" as hexadecimal digits, and
        # carPlayCapable what it says it can do; both only where the rig asks. phone is what was set on the phone at its
        # link, where that is not on its own wire. nextTry is when a failed handshake is tried again, in nanoseconds as in
        # Event.
        type Device (
          id: string,
          generation: int,
          kind: string,
          profile: string,
          state: string,
          role: ?string,
          peer: ?string,
          origin: Origin,
          identity: string,
          port: string,
          serial: ?string,
          vendor: ?int,
          product: ?int,
          manufacturer: ?string,
          model: ?string,
          session: ?string,
          phone: ?Phone,
          mode: ?string,
          carPlayCapable: ?bool,
          nextTry: ?int,
          reason: ?Reason
        )

        # How a session's head unit is authenticated. signer, the rig's: libcrypto, with keys that the rig made itself,
        # or fixedTest, a rule without any key. shape: rsa1024 or p256, after the head unit's key. subject and serial
        # (hexadecimal) are those of the head unit's certificate, once the rig has looked at it; verdict is accepted or
        # the name of the refusal: signatureInvalid, certificateUnreadable, keyUnsupported, keyTooWeak, expired,
        # notYetValid, notPinned, notSelfMade. All three are null where a real phone looks at the certificate.
        type Authentication (
          signer: string,
          shape: ?string,
          subject: ?string,
          serial: ?string,
          verdict: ?string
        )

        # A session: the authenticated use of a link. phase: detecting, synchronizing, authenticating, identifying,
        # starting, active, closed. waiting: locked, untrusted or carPlayOff, while a person must act; sessionRefused,
        # while the phone is told to offer no session; credentials, while the rig makes its own keys. Times as in Event.
        type Session (
          id: string,
          device: string,
          generation: int,
          link: int,
          role: string,
          peer: string,
          phase: string,
          waiting: ?string,
          openedAt: int,
          activeAt: ?int,
          headUnit: ?string,
          authentication: ?Authentication,
          reason: ?Reason
        )

        # A display of a session. id is session/name. scale is pixels per point. role: main or instrumentCluster.
        # primaryInput and inputs: touchscreen, touchpad, knob, keys. touchFidelity: none, low, high. appearance: light or
        # dark. driverSide: left or right. viewArea is the index of the view area in use. revision is one higher at each
        # change; input carries the revision it was scaled with.
        type Display (
          id: string,
          session: string,
          name: string,
          role: string,
          width: int,
          height: int,
          scale: float,
          widthPoints: int,
          heightPoints: int,
          widthMillimetres: int,
          heightMillimetres: int,
          millimetresAssumed: bool,
          framesPerSecond: int,
          viewAreas: []ViewArea,
          viewArea: int,
          primaryInput: string,
          inputs: []string,
          touchFidelity: string,
          appearance: string,
          driverSide: string,
          limitedUI: LimitedUI,
          revision: int,
          origin: Origin
        )

        # Where the vehicle is. latitude -90 to 90 and longitude -180 to 180 in degrees, north and east positive; altitude in
        # metres above the sea, -1000 to 10000; heading in degrees clockwise from north, 0 to 359.99; accuracy in metres, the
        # radius in which the place is, 0 to 100000. What is absent is not known.
        type Location (latitude: float, longitude: float, altitude: ?float, heading: ?float, accuracy: ?float)

        # A track under way: the point that was reached last, from 1 (0 before the first), of so many.
        type TrackProgress (point: int, points: int)

        # What holds for the whole car. What is absent is not known. speed in metres per second, negative backwards, -50 to
        # 150; gear: park, reverse, neutral, drive; ambientLight in lux, 0 to 200000; battery and fuel in percent, 0 to 100;
        # range in kilometres that the car still goes, 0 to 10000; rangeLow: the car warns of that. automatic names what a
        # rule of the head unit decides now: appearance, keyboard, lists. revision is one higher at each change.
        type Vehicle (
          appearance: string,
          driverSide: string,
          limitedUI: LimitedUI,
          speed: ?float,
          gear: ?string,
          parkingBrake: ?bool,
          ambientLight: ?float,
          location: ?Location,
          battery: ?float,
          fuel: ?float,
          range: ?float,
          rangeLow: ?bool,
          automatic: ?[]string,
          track: ?TrackProgress,
          revision: ?int
        )

        # What a rule of the head unit decided: property (appearance, keyboard, lists) is now value (light, dark, limited,
        # free), because cause (ambientLight, speed, gear) is measured ("12lx", "2.5m/s", "drive"), by rule, as the profile
        # has it ("dark-below = 50lx").
        type Derivation (property: string, value: string, cause: string, measured: string, rule: string)

        # An app: a client that declared a manifest. device is what it is bound to; without it, it follows the front
        # session.
        type App (id: string, name: string, device: ?string, session: ?string, uid: int)

        # Which input event, and where it comes from: the name of the input device, or injected. revision is that of the
        # display it was scaled with; tag is the mark given to Inject. lateMicroseconds is by how much an injected event was
        # sent later than it was due, when that is 2 ms or more.
        type Input (id: int, source: string, revision: ?int, tag: ?string, lateMicroseconds: ?int)

        # gesture: rotate (detents, positive is clockwise), press, release (heldMilliseconds, long), nudge, nudgeEnd
        # (direction: up, down, left, right, upLeft, upRight, downLeft, downRight).
        type Knob (gesture: string, detents: ?int, heldMilliseconds: ?int, long: ?bool, direction: ?string)

        # One finger on a display, in display pixels. phase: began, moved, stationary, ended, cancelled.
        type Contact (id: int, x: int, y: int, phase: string)

        # One frame of a touchscreen.
        type Touch (contacts: []Contact, outsideSafeArea: bool)

        # One finger on a touchpad, in percent of its width and height.
        type PadContact (id: int, x: float, y: float, phase: string)

        # One frame of a touchpad.
        type Touchpad (contacts: []PadContact)

        # What was meant by what was done, told beside it. meaning: press, longPress, doublePress, pressTurn (detents), tap
        # (fingers), swipe (direction, fingers, speed in millimetres per second), scroll (x and y in millimetres, right and
        # down positive, as the fingers went), focus (direction).
        type Intent (
          meaning: string,
          detents: ?int,
          fingers: ?int,
          direction: ?string,
          speed: ?int,
          x: ?float,
          y: ?float
        )

        # A key: home, back, voice, play, pause, playPause, next, previous, call, hangUp, hookSwitch, mute, up, down, left,
        # right, select.
        type KeyChange (key: string, down: bool)

        # The events of this stream from number first to number last are missing; merged of them are part of a later event.
        type Lost (first: int, last: int, merged: int)

        # Something on a link that was damaged or against the rules. layer: link, control, hid. end: rig or partner, who
        # noticed it. rule and reaction are stable names; party is whose doing it was. offset and length are bytes of the
        # received stream. suppressed tells how many before it were not published.
        type Irregularity (
          layer: string,
          end: string,
          rule: string,
          offset: ?int,
          length: ?int,
          party: string,
          reaction: string,
          text: string,
          suppressed: ?int
        )

        # A message of the control session. name is that of the catalogue, or the number (0x5001) when it has none. sender:
        # phone or headUnit. fields by name, in the order of the wire; repeated ones are lists, bytes are hexadecimal, whole
        # numbers above 9223372036854775807 are decimal text.
        type Message (name: string, number: string, sender: string, fields: object)

        # A whole file that the other side sent on the file transfer channel: the number of the transfer, what it is where
        # the sender told, and bytes. sender: phone or headUnit. The bytes themselves are in a capture.
        type File (transfer: int, type: ?int, size: int, sender: string)

        # A fault: a disturbance of a device's link by name. kind: drop, corrupt-header, corrupt-payload, corrupt-length,
        # duplicate, reorder, delay, split, join, stall, stale, reset, unplug. device is the one it is for; while waiting is
        # true it is not plugged in, and without a name the fault is for the next that comes. direction: toDevice,
        # fromDevice, both. It strikes at a phase or a packet of the handshake (at), or from a phase on (since), or anywhere;
        # when after packets, or afterBytes bytes, have passed there; count times, or without count until it is cleared. strikes says how often it
        # has struck. keep says that it stays when the device is unplugged.
        type Fault (
          id: string,
          kind: string,
          device: ?string,
          waiting: bool,
          direction: string,
          at: ?string,
          since: ?string,
          after: int,
          afterBytes: ?int,
          count: ?int,
          durationMilliseconds: ?int,
          keep: bool,
          strikes: int
        )

        # What a fault did. direction is the way the bytes went; packet is the packet's number that way, from 1, counted while
        # faults are set, and 0 where there was none; phase is the session's; effect says what was done, for people.
        # suppressed tells how many strikes of the same fault before it were not published, because there were too many in a
        # short time; strikes of the Fault counts all of them.
        type Strike (
          direction: string,
          packet: int,
          phase: string,
          bytes: int,
          effect: string,
          suppressed: ?int
        )

        # One published fact. sequence is one counter for the whole rig: holes in a filtered stream mean nothing, loss is
        # told by stream.lost. time is nanoseconds of CLOCK_MONOTONIC from the daemon's start. kind is one of the kinds
        # listed in the documentation (device.attached, session.active, input.knob, ...); clients ignore kinds and fields
        # that they do not know. The other fields are there when the kind needs them.
        type Event (
          sequence: int,
          time: int,
          kind: string,
          origin: Origin,
          device: ?string,
          generation: ?int,
          session: ?string,
          display: ?string,
          input: ?Input,
          app: ?string,
          deviceState: ?Device,
          sessionState: ?Session,
          displayState: ?Display,
          appState: ?App,
          vehicle: ?Vehicle,
          changed: ?[]string,
          derivation: ?Derivation,
          knob: ?Knob,
          touch: ?Touch,
          touchpad: ?Touchpad,
          key: ?KeyChange,
          intent: ?Intent,
          fault: ?string,
          faultState: ?Fault,
          strike: ?Strike,
          ending: ?string,
          step: ?string,
          irregularity: ?Irregularity,
          message: ?Message,
          file: ?File,
          text: ?string,
          lost: ?Lost,
          reason: ?Reason
        )

        # The whole state, or a part of it. epoch is new at each start of the daemon. sequence is that of the last event
        # before this state. base is CLOCK_MONOTONIC, and realtime CLOCK_REALTIME, in nanoseconds at the daemon's start,
        # where time is 0; bootID names the boot that CLOCK_MONOTONIC counts from.
        type State (
          epoch: string,
          sequence: int,
          time: int,
          base: int,
          realtime: int,
          bootID: string,
          version: string,
          instance: string,
          front: ?string,
          vehicle: Vehicle,
          devices: []Device,
          sessions: []Session,
          displays: []Display,
          apps: []App
        )
        """
}

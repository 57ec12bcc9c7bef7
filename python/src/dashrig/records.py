"""The records of the interfaces. Written by tools/generate.py; do not edit."""

from __future__ import annotations

from typing import Final, Literal

from . import _record as read
from ._record import Field, Maybe, Record

#: Where a fact comes from: observed on a bus, simulated by the rig, or declared by a configuration or a client.
Origin = Literal[
    "observed", "simulated", "declared",
]


class Reason(Record):
    """
    Why something ended or failed. code is stable lower camel case; party says whose fault it is: local (the
    rig), peer (the other end of the link), device (the device or its cable) or client (a program on a
    socket); text says what happened and what to do.
    """

    code = Field("code", read.text)
    party = Field("party", read.text)
    text = Field("text", read.text)


class Rect(Record):
    """
    A rectangle in display pixels, from the display's top left.
    """

    x = Field("x", read.integer)
    y = Field("y", read.integer)
    width = Field("width", read.integer)
    height = Field("height", read.integer)


class ViewArea(Record):
    """
    Where the phone draws, and the part of it in which it may put what is touched.
    """

    frame = Field("frame", read.record(Rect))
    safe_area = Field("safeArea", read.record(Rect))
    draws_outside_safe_area = Field("drawsOutsideSafeArea", read.boolean)


class LimitedUI(Record):
    """
    What may be limited while the car moves.
    """

    keyboard = Field("keyboard", read.boolean)
    lists = Field("lists", read.boolean)


class AnswerDelays(Record):
    """
    How many milliseconds later a phone gives single answers in a handshake, 0 to 2000; absent is not later.
    """

    certificate_request = Maybe("certificateRequest", read.integer)
    challenge = Maybe("challenge", read.integer)
    authentication_verdict = Maybe("authenticationVerdict", read.integer)
    identification_request = Maybe("identificationRequest", read.integer)
    identification_verdict = Maybe("identificationVerdict", read.integer)
    information = Maybe("information", read.integer)
    session_offer = Maybe("sessionOffer", read.integer)


class Phone(Record):
    """
    What was set on a phone. trustAfterMilliseconds: a person taps trust so long after the handshake came to
    it. refuse names the handshake step that it refuses: authentication, identification, session, certificate,
    signature, trust. misorder names what it does in the wrong order: identificationEarly, challengeFirst,
    resultFirst, acceptanceFirst, offerFirst. carPlay: CarPlay is switched on. linkVersion is the newest link
    version that it was plugged in with.
    """

    locked = Field("locked", read.boolean)
    trusted = Field("trusted", read.boolean)
    trust_after_milliseconds = Maybe("trustAfterMilliseconds", read.integer)
    slow_milliseconds = Field("slowMilliseconds", read.integer)
    delays = Maybe("delays", read.record(AnswerDelays))
    refuse = Maybe("refuse", read.text)
    misorder = Maybe("misorder", read.text)
    car_play = Field("carPlay", read.boolean)
    link_version = Maybe("linkVersion", read.integer)


class Device(Record):
    """
    A device. id is its short stable name; generation is 1 at the first plug and one more at each return. The
    rig remembers the 256 devices that were unplugged last; once it has forgotten some, a name that Plug gives
    begins one above their highest generation, and a name of profile and number one above the highest of those
    forgotten whose given name ended in a digit, so that no name and generation ever mean two devices. kind:
    iPhone, iPad, iPod, androidPhone, androidAccessory, dongle, headUnit, knob, touchpad, touchscreen, keys.
    state: attached, connecting, active, failed, busy, stuck, reenumerating, detached. role is the side the
    rig plays: headUnit or phone. peer says who answers on the link: wire or simulated. identity is the rule
    by which it was recognised: new, serialAndPort, portWithinWindow, serial, name. mode is an Apple device's
    answer to "get mode" as hexadecimal digits, and carPlayCapable what it says it can do; both only where the
    rig asks. phone is what was set on the phone at its link, where that is not on its own wire. nextTry is
    when a failed handshake is tried again, in nanoseconds as in Event.
    """

    id = Field("id", read.text)
    generation = Field("generation", read.integer)
    kind = Field("kind", read.text)
    profile = Field("profile", read.text)
    state = Field("state", read.text)
    role = Maybe("role", read.text)
    peer = Maybe("peer", read.text)
    origin = Field("origin", read.text)
    identity = Field("identity", read.text)
    port = Field("port", read.text)
    serial = Maybe("serial", read.text)
    vendor = Maybe("vendor", read.integer)
    product = Maybe("product", read.integer)
    manufacturer = Maybe("manufacturer", read.text)
    model = Maybe("model", read.text)
    session = Maybe("session", read.text)
    phone = Maybe("phone", read.record(Phone))
    mode = Maybe("mode", read.text)
    car_play_capable = Maybe("carPlayCapable", read.boolean)
    next_try = Maybe("nextTry", read.integer)
    reason = Maybe("reason", read.record(Reason))


class Authentication(Record):
    """
    How a session's head unit is authenticated. signer, the rig's: libcrypto, with keys that the rig made
    itself, or fixedTest, a rule without any key. shape: rsa1024 or p256, after the head unit's key. subject
    and serial (hexadecimal) are those of the head unit's certificate, once the rig has looked at it; verdict
    is accepted or the name of the refusal: signatureInvalid, certificateUnreadable, keyUnsupported,
    keyTooWeak, expired, notYetValid, notPinned, notSelfMade. All three are null where a real phone looks at
    the certificate.
    """

    signer = Field("signer", read.text)
    shape = Maybe("shape", read.text)
    subject = Maybe("subject", read.text)
    serial = Maybe("serial", read.text)
    verdict = Maybe("verdict", read.text)


class Session(Record):
    """
    A session: the authenticated use of a link. phase: detecting, synchronizing, authenticating, identifying,
    starting, active, closed. waiting: locked, untrusted or carPlayOff, while a person must act;
    sessionRefused, while the phone is told to offer no session; credentials, while the rig makes its own
    keys. Times as in Event.
    """

    id = Field("id", read.text)
    device = Field("device", read.text)
    generation = Field("generation", read.integer)
    link = Field("link", read.integer)
    role = Field("role", read.text)
    peer = Field("peer", read.text)
    phase = Field("phase", read.text)
    waiting = Maybe("waiting", read.text)
    opened_at = Field("openedAt", read.integer)
    active_at = Maybe("activeAt", read.integer)
    head_unit = Maybe("headUnit", read.text)
    authentication = Maybe("authentication", read.record(Authentication))
    reason = Maybe("reason", read.record(Reason))


class Display(Record):
    """
    A display of a session. id is session/name. scale is pixels per point. role: main or instrumentCluster.
    primaryInput and inputs: touchscreen, touchpad, knob, keys. touchFidelity: none, low, high. appearance:
    light or dark. driverSide: left or right. viewArea is the index of the view area in use. revision is one
    higher at each change; input carries the revision it was scaled with.
    """

    id = Field("id", read.text)
    session = Field("session", read.text)
    name = Field("name", read.text)
    role = Field("role", read.text)
    width = Field("width", read.integer)
    height = Field("height", read.integer)
    scale = Field("scale", read.number)
    width_points = Field("widthPoints", read.integer)
    height_points = Field("heightPoints", read.integer)
    width_millimetres = Field("widthMillimetres", read.integer)
    height_millimetres = Field("heightMillimetres", read.integer)
    millimetres_assumed = Field("millimetresAssumed", read.boolean)
    frames_per_second = Field("framesPerSecond", read.integer)
    view_areas = Field("viewAreas", read.listed(read.record(ViewArea)))
    view_area = Field("viewArea", read.integer)
    primary_input = Field("primaryInput", read.text)
    inputs = Field("inputs", read.listed(read.text))
    touch_fidelity = Field("touchFidelity", read.text)
    appearance = Field("appearance", read.text)
    driver_side = Field("driverSide", read.text)
    limited_ui = Field("limitedUI", read.record(LimitedUI))
    revision = Field("revision", read.integer)
    origin = Field("origin", read.text)


class Location(Record):
    """
    Where the vehicle is. latitude -90 to 90 and longitude -180 to 180 in degrees, north and east positive;
    altitude in metres above the sea, -1000 to 10000; heading in degrees clockwise from north, 0 to 359.99;
    accuracy in metres, the radius in which the place is, 0 to 100000. What is absent is not known.
    """

    latitude = Field("latitude", read.number)
    longitude = Field("longitude", read.number)
    altitude = Maybe("altitude", read.number)
    heading = Maybe("heading", read.number)
    accuracy = Maybe("accuracy", read.number)


class TrackProgress(Record):
    """
    A track under way: the point that was reached last, from 1 (0 before the first), of so many.
    """

    point = Field("point", read.integer)
    points = Field("points", read.integer)


class Vehicle(Record):
    """
    What holds for the whole car. What is absent is not known. speed in metres per second, negative backwards,
    -50 to 150; gear: park, reverse, neutral, drive; ambientLight in lux, 0 to 200000; battery and fuel in
    percent, 0 to 100; range in kilometres that the car still goes, 0 to 10000; rangeLow: the car warns of
    that. automatic names what a rule of the head unit decides now: appearance, keyboard, lists. revision is
    one higher at each change.
    """

    appearance = Field("appearance", read.text)
    driver_side = Field("driverSide", read.text)
    limited_ui = Field("limitedUI", read.record(LimitedUI))
    speed = Maybe("speed", read.number)
    gear = Maybe("gear", read.text)
    parking_brake = Maybe("parkingBrake", read.boolean)
    ambient_light = Maybe("ambientLight", read.number)
    location = Maybe("location", read.record(Location))
    battery = Maybe("battery", read.number)
    fuel = Maybe("fuel", read.number)
    range = Maybe("range", read.number)
    range_low = Maybe("rangeLow", read.boolean)
    automatic = Maybe("automatic", read.listed(read.text))
    track = Maybe("track", read.record(TrackProgress))
    revision = Maybe("revision", read.integer)


class Derivation(Record):
    """
    What a rule of the head unit decided: property (appearance, keyboard, lists) is now value (light, dark,
    limited, free), because cause (ambientLight, speed, gear) is measured ("12lx", "2.5m/s", "drive"), by
    rule, as the profile has it ("dark-below = 50lx").
    """

    property = Field("property", read.text)
    value = Field("value", read.text)
    cause = Field("cause", read.text)
    measured = Field("measured", read.text)
    rule = Field("rule", read.text)


class App(Record):
    """
    An app: a client that declared a manifest. device is what it is bound to; without it, it follows the front
    session.
    """

    id = Field("id", read.text)
    name = Field("name", read.text)
    device = Maybe("device", read.text)
    session = Maybe("session", read.text)
    uid = Field("uid", read.integer)


class Input(Record):
    """
    Which input event, and where it comes from: the name of the input device, or injected. revision is that of
    the display it was scaled with; tag is the mark given to Inject. lateMicroseconds is by how much an
    injected event was sent later than it was due, when that is 2 ms or more.
    """

    id = Field("id", read.integer)
    source = Field("source", read.text)
    revision = Maybe("revision", read.integer)
    tag = Maybe("tag", read.text)
    late_microseconds = Maybe("lateMicroseconds", read.integer)


class Knob(Record):
    """
    gesture: rotate (detents, positive is clockwise), press, release (heldMilliseconds, long), nudge, nudgeEnd
    (direction: up, down, left, right, upLeft, upRight, downLeft, downRight).
    """

    gesture = Field("gesture", read.text)
    detents = Maybe("detents", read.integer)
    held_milliseconds = Maybe("heldMilliseconds", read.integer)
    long = Maybe("long", read.boolean)
    direction = Maybe("direction", read.text)


class Contact(Record):
    """
    One finger on a display, in display pixels. phase: began, moved, stationary, ended, cancelled.
    """

    id = Field("id", read.integer)
    x = Field("x", read.integer)
    y = Field("y", read.integer)
    phase = Field("phase", read.text)


class Touch(Record):
    """
    One frame of a touchscreen.
    """

    contacts = Field("contacts", read.listed(read.record(Contact)))
    outside_safe_area = Field("outsideSafeArea", read.boolean)


class PadContact(Record):
    """
    One finger on a touchpad, in percent of its width and height.
    """

    id = Field("id", read.integer)
    x = Field("x", read.number)
    y = Field("y", read.number)
    phase = Field("phase", read.text)


class Touchpad(Record):
    """
    One frame of a touchpad.
    """

    contacts = Field("contacts", read.listed(read.record(PadContact)))


class Intent(Record):
    """
    What was meant by what was done, told beside it. meaning: press, longPress, doublePress, pressTurn
    (detents), tap (fingers), swipe (direction, fingers, speed in millimetres per second), scroll (x and y in
    millimetres, right and down positive, as the fingers went), focus (direction).
    """

    meaning = Field("meaning", read.text)
    detents = Maybe("detents", read.integer)
    fingers = Maybe("fingers", read.integer)
    direction = Maybe("direction", read.text)
    speed = Maybe("speed", read.integer)
    x = Maybe("x", read.number)
    y = Maybe("y", read.number)


class KeyChange(Record):
    """
    A key: home, back, voice, play, pause, playPause, next, previous, call, hangUp, hookSwitch, mute, up,
    down, left, right, select.
    """

    key = Field("key", read.text)
    down = Field("down", read.boolean)


class Lost(Record):
    """
    The events of this stream from number first to number last are missing; merged of them are part of a later
    event.
    """

    first = Field("first", read.integer)
    last = Field("last", read.integer)
    merged = Field("merged", read.integer)


class Irregularity(Record):
    """
    Something on a link that was damaged or against the rules. layer: link, control, hid. end: rig or partner,
    who noticed it. rule and reaction are stable names; party is whose doing it was. offset and length are
    bytes of the received stream. suppressed tells how many before it were not published.
    """

    layer = Field("layer", read.text)
    end = Field("end", read.text)
    rule = Field("rule", read.text)
    offset = Maybe("offset", read.integer)
    length = Maybe("length", read.integer)
    party = Field("party", read.text)
    reaction = Field("reaction", read.text)
    text = Field("text", read.text)
    suppressed = Maybe("suppressed", read.integer)


class Message(Record):
    """
    A message of the control session. name is that of the catalogue, or the number (0x5001) when it has none.
    sender: phone or headUnit. fields by name, in the order of the wire; repeated ones are lists, bytes are
    hexadecimal, whole numbers above 9223372036854775807 are decimal text.
    """

    name = Field("name", read.text)
    number = Field("number", read.text)
    sender = Field("sender", read.text)
    fields = Field("fields", read.anything)


class File(Record):
    """
    A whole file that the other side sent on the file transfer channel: the number of the transfer, what it is
    where the sender told, and bytes. sender: phone or headUnit. The bytes themselves are in a capture.
    """

    transfer = Field("transfer", read.integer)
    type = Maybe("type", read.integer)
    size = Field("size", read.integer)
    sender = Field("sender", read.text)


class Fault(Record):
    """
    A fault: a disturbance of a device's link by name. kind: drop, corrupt-header, corrupt-payload, corrupt-
    length, duplicate, reorder, delay, split, join, stall, stale, reset, unplug. device is the one it is for;
    while waiting is true it is not plugged in, and without a name the fault is for the next that comes.
    direction: toDevice, fromDevice, both. It strikes at a phase or a packet of the handshake (at), or from a
    phase on (since), or anywhere; when after packets, or afterBytes bytes, have passed there; count times, or
    without count until it is cleared. strikes says how often it has struck. keep says that it stays when the
    device is unplugged.
    """

    id = Field("id", read.text)
    kind = Field("kind", read.text)
    device = Maybe("device", read.text)
    waiting = Field("waiting", read.boolean)
    direction = Field("direction", read.text)
    at = Maybe("at", read.text)
    since = Maybe("since", read.text)
    after = Field("after", read.integer)
    after_bytes = Maybe("afterBytes", read.integer)
    count = Maybe("count", read.integer)
    duration_milliseconds = Maybe("durationMilliseconds", read.integer)
    keep = Field("keep", read.boolean)
    strikes = Field("strikes", read.integer)


class Strike(Record):
    """
    What a fault did. direction is the way the bytes went; packet is the packet's number that way, from 1,
    counted while faults are set, and 0 where there was none; phase is the session's; effect says what was
    done, for people. suppressed tells how many strikes of the same fault before it were not published,
    because there were too many in a short time; strikes of the Fault counts all of them.
    """

    direction = Field("direction", read.text)
    packet = Field("packet", read.integer)
    phase = Field("phase", read.text)
    bytes = Field("bytes", read.integer)
    effect = Field("effect", read.text)
    suppressed = Maybe("suppressed", read.integer)


class Event(Record):
    """
    One published fact. sequence is one counter for the whole rig: holes in a filtered stream mean nothing,
    loss is told by stream.lost. time is nanoseconds of CLOCK_MONOTONIC from the daemon's start. kind is one
    of the kinds listed in the documentation (device.attached, session.active, input.knob, ...); clients
    ignore kinds and fields that they do not know. The other fields are there when the kind needs them.
    """

    sequence = Field("sequence", read.integer)
    time = Field("time", read.integer)
    kind = Field("kind", read.text)
    origin = Field("origin", read.text)
    device = Maybe("device", read.text)
    generation = Maybe("generation", read.integer)
    session = Maybe("session", read.text)
    display = Maybe("display", read.text)
    input = Maybe("input", read.record(Input))
    app = Maybe("app", read.text)
    device_state = Maybe("deviceState", read.record(Device))
    session_state = Maybe("sessionState", read.record(Session))
    display_state = Maybe("displayState", read.record(Display))
    app_state = Maybe("appState", read.record(App))
    vehicle = Maybe("vehicle", read.record(Vehicle))
    changed = Maybe("changed", read.listed(read.text))
    derivation = Maybe("derivation", read.record(Derivation))
    knob = Maybe("knob", read.record(Knob))
    touch = Maybe("touch", read.record(Touch))
    touchpad = Maybe("touchpad", read.record(Touchpad))
    key = Maybe("key", read.record(KeyChange))
    intent = Maybe("intent", read.record(Intent))
    fault = Maybe("fault", read.text)
    fault_state = Maybe("faultState", read.record(Fault))
    strike = Maybe("strike", read.record(Strike))
    ending = Maybe("ending", read.text)
    step = Maybe("step", read.text)
    irregularity = Maybe("irregularity", read.record(Irregularity))
    message = Maybe("message", read.record(Message))
    file = Maybe("file", read.record(File))
    text = Maybe("text", read.text)
    lost = Maybe("lost", read.record(Lost))
    reason = Maybe("reason", read.record(Reason))


class State(Record):
    """
    The whole state, or a part of it. epoch is new at each start of the daemon. sequence is that of the last
    event before this state. base is CLOCK_MONOTONIC, and realtime CLOCK_REALTIME, in nanoseconds at the
    daemon's start, where time is 0; bootID names the boot that CLOCK_MONOTONIC counts from.
    """

    epoch = Field("epoch", read.text)
    sequence = Field("sequence", read.integer)
    time = Field("time", read.integer)
    base = Field("base", read.integer)
    realtime = Field("realtime", read.integer)
    boot_id = Field("bootID", read.text)
    version = Field("version", read.text)
    instance = Field("instance", read.text)
    front = Maybe("front", read.text)
    vehicle = Field("vehicle", read.record(Vehicle))
    devices = Field("devices", read.listed(read.record(Device)))
    sessions = Field("sessions", read.listed(read.record(Session)))
    displays = Field("displays", read.listed(read.record(Display)))
    apps = Field("apps", read.listed(read.record(App)))


class Profile(Record):
    """
    A virtual device that Plug can make.
    """

    name = Field("name", read.text)
    kind = Field("kind", read.text)
    text = Field("text", read.text)


class HeadUnit(Record):
    """
    A head unit whose displays can be declared.
    """

    name = Field("name", read.text)
    text = Field("text", read.text)
    displays = Field("displays", read.listed(read.text))

#: The steps of a handshake that a phone can refuse; none takes a refusal back.
Refusal = Literal[
    "none", "authentication", "identification", "session", "certificate", "signature", "trust",
]

#: What a phone can do in the wrong order; none takes it back.
Misorder = Literal[
    "none", "identificationEarly", "challengeFirst", "resultFirst", "acceptanceFirst", "offerFirst",
]


class KnobGesture(Record):
    """
    Turn the knob by detents (positive is clockwise, not 0, at most 1000 either way), at once, or one each
    intervalMilliseconds, or evenly over durationMilliseconds from the first to the last; or push it (press
    true) or push it sideways (nudge) for holdMilliseconds (80 when absent). Exactly one of detents, press and
    nudge. With down it is one half of a press or nudge: true and it stays down, false and it is let go.
    """

    detents = Maybe("detents", read.integer)
    interval_milliseconds = Maybe("intervalMilliseconds", read.integer)
    duration_milliseconds = Maybe("durationMilliseconds", read.integer)
    press = Maybe("press", read.boolean)
    nudge = Maybe("nudge", read.text)
    hold_milliseconds = Maybe("holdMilliseconds", read.integer)
    down = Maybe("down", read.boolean)


class Point(Record):
    """
    A place: display pixels on a display, percent from 0 to 100 on a touchpad.
    """

    x = Field("x", read.number)
    y = Field("y", read.number)


class Path(Record):
    """
    The way of one finger: down at the first point, straight from point to point, up at the last. One point is
    a tap. id is 0 to 9; without it, fingers are numbered in order.
    """

    points = Field("points", read.listed(read.record(Point)))
    id = Maybe("id", read.integer)


class FingerChange(Record):
    """
    What one finger does at one moment: it touches down (began), goes on (moved) or is lifted (ended). x and y
    are the place, as of Point; an end without them is where the finger is.
    """

    id = Field("id", read.integer)
    phase = Field("phase", read.text)
    x = Maybe("x", read.number)
    y = Maybe("y", read.number)


class TouchGesture(Record):
    """
    Fingers on a display or a touchpad: either contacts, from down to up, or frame, one moment of fingers that
    stay down until another frame ends them; those of the caller that a frame does not name stay where they
    are. durationMilliseconds is the time from down to up: 60 for taps, 300 for paths and 100 for flicks when
    absent; velocity says it by the speed of the finger that goes farthest, in pixels per second, or percent
    per second on a touchpad. With flick, each finger goes from one point to another ever faster, and is
    lifted at its fastest, which is what velocity says then.
    """

    contacts = Maybe("contacts", read.listed(read.record(Path)))
    duration_milliseconds = Maybe("durationMilliseconds", read.integer)
    velocity = Maybe("velocity", read.number)
    flick = Maybe("flick", read.boolean)
    frame = Maybe("frame", read.listed(read.record(FingerChange)))


class KeyGesture(Record):
    """
    A key, held for holdMilliseconds (80 when absent); or with down one half of that: true and it stays down,
    false and it is let go.
    """

    key = Field("key", read.text)
    hold_milliseconds = Maybe("holdMilliseconds", read.integer)
    down = Maybe("down", read.boolean)


class SequenceStep(Record):
    """
    One input of a sequence: exactly one of knob, touch, touchpad and key, begun at milliseconds after the
    sequence's beginning, with fractions, at most 600000 and not before the step before it.
    """

    at = Field("at", read.number)
    knob = Maybe("knob", read.record(KnobGesture))
    touch = Maybe("touch", read.record(TouchGesture))
    touchpad = Maybe("touchpad", read.record(TouchGesture))
    key = Maybe("key", read.record(KeyGesture))


class StepInputs(Record):
    """
    The numbers of a step's input events: first, first+1, ..., count of them.
    """

    first = Field("first", read.integer)
    count = Field("count", read.integer)


class FaultKind(Record):
    """
    A kind of fault, what it does, and whether it takes durationMilliseconds.
    """

    name = Field("name", read.text)
    text = Field("text", read.text)
    takes_time = Field("takesTime", read.boolean)

#: How far input has come: taken by the rig; its last byte taken by the app's socket or put on the link; acknowledged 
InputStep = Literal[
    "accepted", "delivered", "read",
]


class TrackFile(Record):
    """
    The text of a track, under the name by which a scenario's steps play it.
    """

    name = Field("name", read.text)
    text = Field("text", read.text)


class IncludedFile(Record):
    """
    The text of a scenario that another one includes. name is its path from that one's folder.
    """

    name = Field("name", read.text)
    text = Field("text", read.text)


class ParameterValue(Record):
    """
    The value of one of a scenario's parameters.
    """

    name = Field("name", read.text)
    value = Field("value", read.text)


class TimelineEntry(Record):
    """
    One line of a scenario's timeline. time is nanoseconds from the scenario's start. kind: step, event,
    expectation, note, failure. line is that of the scenario's text. lateness says how many nanoseconds later
    than planned a step began. event is there where the entry is one.
    """

    time = Field("time", read.integer)
    kind = Field("kind", read.text)
    text = Field("text", read.text)
    line = Maybe("line", read.integer)
    lateness = Maybe("lateness", read.integer)
    event = Maybe("event", read.record(Event))


class ScenarioFailure(Record):
    """
    What failed in a scenario, where, what was expected, and what came before it. outcome as in Verdict.
    """

    outcome = Field("outcome", read.text)
    file = Maybe("file", read.text)
    line = Maybe("line", read.integer)
    column = Maybe("column", read.integer)
    step = Maybe("step", read.text)
    text = Field("text", read.text)
    expected = Maybe("expected", read.text)
    hint = Maybe("hint", read.text)
    came = Field("came", read.listed(read.record(TimelineEntry)))


class RunCounts(Record):
    """
    How much of a scenario was done. maximumLateness is nanoseconds.
    """

    steps = Field("steps", read.integer)
    done = Field("done", read.integer)
    expectations = Field("expectations", read.integer)
    met = Field("met", read.integer)
    events = Field("events", read.integer)
    maximum_lateness = Field("maximumLateness", read.integer)


class Verdict(Record):
    """
    A scenario's result. outcome: passed, failed, scriptWrong, rigFailed, interrupted; exitCode is the one
    that goes with it (0, 1, 2, 3, 4). duration is nanoseconds.
    """

    name = Field("name", read.text)
    file = Field("file", read.text)
    outcome = Field("outcome", read.text)
    exit_code = Field("exitCode", read.integer)
    duration = Field("duration", read.integer)
    counts = Field("counts", read.record(RunCounts))
    failures = Field("failures", read.listed(read.record(ScenarioFailure)))


class Lease(Record):
    """
    What a run holds for itself from its beginning to its end, or waits for: id (r1, r2, ...), owner (the
    scenario's name, or what is cycled) with its uid and pid, resources (device NAME, display NAME, input),
    and since when, as in Event.
    """

    id = Field("id", read.text)
    owner = Field("owner", read.text)
    uid = Maybe("uid", read.integer)
    pid = Maybe("pid", read.integer)
    resources = Field("resources", read.listed(read.text))
    since = Field("since", read.integer)
    waiting = Field("waiting", read.boolean)


class CycleResult(Record):
    """
    One cycle: number from 1; pulledAt, where it was pulled once before it was plugged in to stay. ready:
    nanoseconds from the plug to the active session; appeared: to the device's appearance; released: from the
    unplug to the end of the removal. Of a cycle that failed: step (plug, unplug or a phase), code as in
    Reason or timedOut or notReached, and text.
    """

    number = Field("number", read.integer)
    pulled_at = Maybe("pulledAt", read.text)
    ready = Maybe("ready", read.integer)
    appeared = Maybe("appeared", read.integer)
    released = Maybe("released", read.integer)
    step = Maybe("step", read.text)
    code = Maybe("code", read.text)
    text = Maybe("text", read.text)


class CycleSummary(Record):
    """
    What came of all cycles of a call.
    """

    succeeded = Field("succeeded", read.integer)
    failed = Field("failed", read.integer)
    interrupted = Field("interrupted", read.boolean)


class CaptureStart(Record):
    """
    Where a capture begins: epoch, realtime and version as in State; time is that of the capture's beginning.
    """

    epoch = Field("epoch", read.text)
    time = Field("time", read.integer)
    realtime = Field("realtime", read.integer)
    version = Field("version", read.text)


class CaptureRecord(Record):
    """
    One thing that a capture tells; time as in Event. kind opened: a session began, all of its bytes follow.
    joined: it was there when the capture began. bytes: bytes (Base64) went in direction; one packet where the
    sender is known to have sent it as one, else as they came. closed: the session is over, for reason. lost:
    as many records as dropped says are missing here, with droppedBytes bytes of links, because the client did
    not read. Clients ignore kinds that they do not know.
    """

    time = Field("time", read.integer)
    kind = Field("kind", read.text)
    device = Maybe("device", read.text)
    generation = Maybe("generation", read.integer)
    session = Maybe("session", read.text)
    role = Maybe("role", read.text)
    peer = Maybe("peer", read.text)
    direction = Maybe("direction", read.text)
    bytes = Maybe("bytes", read.text)
    reason = Maybe("reason", read.record(Reason))
    dropped = Maybe("dropped", read.integer)
    dropped_bytes = Maybe("droppedBytes", read.integer)


class Manifest(Record):
    """
    What an app declares of itself: a name of 1 to 128 bytes and, if it has one, its bundle identifier.
    """

    name = Field("name", read.text)
    bundle = Maybe("bundle", read.text)


#: The methods of each interface that this package knows, with the names of their parameters.
METHODS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "org.dashrig.Rig": {
        "GetState": (),
        "Subscribe": ("kinds", "devices"),
        "Plug": (
            "profile",
            "name",
            "serial",
            "displays",
            "locked",
            "trusted",
            "trustAfterMilliseconds",
            "slowMilliseconds",
            "delays",
            "refuse",
            "misorder",
            "carPlay",
            "identificationFirst",
            "linkVersion",
        ),
        "Unplug": ("device", "surprise", "generation"),
        "SetPhone": (
            "device",
            "generation",
            "locked",
            "trusted",
            "trustAfterMilliseconds",
            "slowMilliseconds",
            "delays",
            "refuse",
            "misorder",
            "carPlay",
        ),
        "Retry": ("device", "generation"),
        "StartAccessory": ("device", "generation"),
        "SwitchRole": ("device", "generation", "carPlay"),
        "SetFront": ("device",),
        "SetDisplay": (
            "display",
            "viewArea",
            "safeArea",
            "width",
            "height",
            "scale",
            "framesPerSecond",
            "appearance",
            "driverSide",
            "limitKeyboard",
            "limitLists",
            "primaryInput",
        ),
        "Send": ("device", "generation", "message", "fields", "sender"),
        "SetVehicle": (
            "appearance",
            "driverSide",
            "limitKeyboard",
            "limitLists",
            "speed",
            "gear",
            "parkingBrake",
            "ambientLight",
            "location",
            "battery",
            "fuel",
            "range",
            "rangeLow",
            "unknown",
            "automatic",
            "track",
            "stopTrack",
        ),
        "Inject": (
            "knob",
            "touch",
            "touchpad",
            "key",
            "device",
            "generation",
            "display",
            "tag",
            "wait",
            "withinMilliseconds",
        ),
        "InjectSequence": ("steps", "device", "generation", "display", "tag", "wait", "withinMilliseconds"),
        "Mark": ("text",),
        "Run": (
            "scenario",
            "name",
            "tracks",
            "includes",
            "values",
            "seed",
            "row",
            "runsPrograms",
            "waitMilliseconds",
        ),
        "Capture": ("device",),
        "Cycle": (
            "profile",
            "name",
            "serial",
            "displays",
            "slowMilliseconds",
            "count",
            "first",
            "unplugAt",
            "intervalMilliseconds",
            "holdMilliseconds",
            "readyWithinMilliseconds",
            "seed",
            "waitMilliseconds",
        ),
        "ListLeases": (),
        "Unlease": ("lease", "force"),
        "Record": (),
        "Replay": (),
        "ListProfiles": (),
        "ListFaults": ("device",),
        "SetFault": (
            "kind",
            "device",
            "generation",
            "direction",
            "at",
            "since",
            "after",
            "afterBytes",
            "count",
            "always",
            "durationMilliseconds",
            "keep",
        ),
        "ClearFaults": ("fault", "device"),
    },
    "org.dashrig.App": {
        "Launch": ("manifest", "device"),
        "Send": ("app", "message", "fields"),
        "Acknowledge": ("app", "ids", "scene"),
        "SetRoot": ("app", "scene", "template"),
        "Push": ("app", "scene", "template"),
        "Pop": ("app", "scene"),
        "PopToRoot": ("app", "scene"),
        "Present": ("app", "scene", "template"),
        "Dismiss": ("app", "scene"),
        "Update": ("app", "scene", "changes"),
        "Complete": ("app", "scene", "handler"),
        "PutImage": ("app", "hash", "bytes"),
    },
}

#: The kinds of events that this package knows, and what they mean.
KINDS: Final[dict[str, str]] = {
    "device.attached": "a device was plugged in, or came back with a new generation",
    "device.changed": "a device's state or facts changed",
    "device.detached": "a device is gone; the reason says how",
    "device.refused": "a device is left alone because a limit is reached; the reason says which",
    "phone.changed": "a phone was locked, unlocked, trusted, slowed down or told to refuse",
    "session.opened": "a link is open and its handshake begins",
    "session.phase": "the handshake reached its next phase",
    "session.waiting": "the handshake waits for a person: the phone is locked or not trusted",
    "session.active": "the session is active; its displays are declared",
    "session.closed": "the session is over; the reason says why",
    "link.irregularity": "something on a link was damaged or against the rules; it says what was done about it",
    "message.sent": "the rig's end of a session sent a message that is no part of the handshake",
    "message.received": "the rig's end of a session received a message that is no part of the handshake",
    "file.received": "the other side has sent a whole file on the file transfer channel",
    "display.added": "a display was declared",
    "display.changed": "a display changed; its revision is one higher",
    "display.removed": "a display is gone with its session",
    "front.changed": "another session, or none, is in front",
    "vehicle.changed": "the vehicle changed: it was set, a track went on, or a rule decided something",
    "input.knob": "a knob was turned, pressed or nudged",
    "input.touch": "one frame of a touchscreen",
    "input.touchpad": "one frame of a touchpad",
    "input.key": "a key went down or up",
    "input.intent": "what was meant: a press, a long or double one, a tap, a swipe, a scroll, a step of the focus",
    "input.step": "an input event was delivered to, or read by, its target",
    "input.lost": "events of an input device were lost, or it holds more than is taken; the reason says which",
    "app.launched": "an app declared its manifest",
    "app.ended": "an app's connection is closed",
    "configuration.reloaded": "the configuration was read again",
    "configuration.refused": "a changed configuration has an error; the old one stays",
    "fault.armed": "a fault is set, or has found the device that it waited for",
    "fault.struck": "a fault did something to a link; the strike says what",
    "fault.cleared": "a fault is there no more: used up, cleared, or gone with its device",
    "lease.taken": "somebody took from a run what it held, and so ended it; the text says whose it was",
    "mark": "somebody wrote a line into the timeline",
    "resync": "a bus lost events; the whole state was read again",
    "stream.lost": "this stream lost or merged events; the numbers say which",
}

"""Input devices that `dashrig input create` makes in the guest's kernel, and what the service hears of them: over real
evdev nodes, with the kernel's own rings."""

import fcntl
import glob
import json
import os
import select
import signal
import struct
import subprocess
import tempfile
import time

from harness import RIG, group_and_mode, main_pid, note, present, run, state, udev_facts, until
from varlink_client import Subscription

BTN_0 = 0x100
KEY_POWER, KEY_BACK = 116, 158
EVENT = struct.Struct("llHHi")
EVIOCGKEY = 0x80604518  # EVIOCGKEY(96)
CONFIGURATION = "/etc/dashrig/dashrig.ini"
TESTS = []


def made_test(function):
    TESTS.append(function)
    return function


class MadeDevice:
    """A device of `dashrig input create`, ready; `lines` is what it does by itself, in place of what `say` tells it."""

    def __init__(self, *words, lines=None):
        source = subprocess.PIPE
        if lines is not None:
            source = tempfile.TemporaryFile()
            source.write(lines.encode())
            source.seek(0)
        self.process = subprocess.Popen(
            ["dashrig", "input", "create", *words, "--json", "--timeout", "60s"], stdin=source, stdout=subprocess.PIPE
        )
        self.pending = b""
        self.ready = self.line()
        self.node = self.ready["node"]

    def line(self, timeout=60):
        """The next object that it prints."""
        end = time.monotonic() + timeout
        while b"\n" not in self.pending:
            left = end - time.monotonic()
            assert left > 0 and select.select([self.process.stdout], [], [], left)[0], "it says nothing"
            more = os.read(self.process.stdout.fileno(), 65536)
            assert more, f"it ended: {self.process.wait()}"
            self.pending += more
        text, self.pending = self.pending.split(b"\n", 1)
        return json.loads(text)

    def say(self, *lines):
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def done(self, *lines, timeout=60):
        """Says lines, and returns when they are done."""
        self.say(*lines, "echo done")
        answer = self.line(timeout)
        assert answer == {"echo": "done"}, answer

    def end(self):
        """Closes its input; gives its totals and its exit code."""
        if self.process.stdin:
            self.process.stdin.close()
        totals = self.line()
        return totals, self.process.wait(60)

    def kill(self, number):
        self.process.send_signal(number)
        return self.process.wait(60)

    def is_down(self, code):
        """Whether the kernel has a key down, whoever has the device to himself."""
        with open(self.node, "rb", buffering=0) as node:
            keys = bytearray(96)
            fcntl.ioctl(node, EVIOCGKEY, keys)
        return bool(keys[code // 8] >> code % 8 & 1)


class OneProcessor:
    """The service and the makers of input share one processor of the guest.

    The guest's processors are threads of the host, and a busy host lets one of them stand still for longer than a node's
    queue lasts (126 ms at 500 turns a second) while the other goes on: makers write, the service cannot read, and the
    kernel drops what no real machine would have. On one processor both stand still together, and what is lost then was
    lost by the service.
    """

    def __init__(self, *devices):
        self.pids = [main_pid()] + [device.process.pid for device in devices]

    def __enter__(self):
        self.before = [[(task, os.sched_getaffinity(task)) for task in self.tasks(pid)] for pid in self.pids]
        for task, _ in sum(self.before, []):
            os.sched_setaffinity(task, {0})

    def __exit__(self, *_):
        for task, processors in sum(self.before, []):
            if os.path.exists(f"/proc/{task}"):
                os.sched_setaffinity(task, processors)

    @staticmethod
    def tasks(pid):
        """The threads of a process."""
        return [int(task) for task in os.listdir(f"/proc/{pid}/task")]


class First:
    """The service runs before everything else in the guest."""

    def __enter__(self):
        self.set(-20)

    def __exit__(self, *_):
        self.set(0)

    @staticmethod
    def set(priority):
        for task in OneProcessor.tasks(main_pid()):
            os.setpriority(os.PRIO_PROCESS, task, priority)


class Hearing:
    """What the service tells of devices and their input from now on."""

    def __init__(self):
        run("systemctl", "start", "dashrig-rig.socket")
        run("modprobe", "uinput")
        self.events = Subscription(RIG, kinds=["device", "input"])

    def attached(self, kind):
        """The name of a device that comes now."""
        event = self.events.wait("device.attached", lambda e: e["deviceState"]["kind"] == kind)
        assert event["deviceState"]["origin"] == "observed", event
        return event["device"]

    def gone(self, *names):
        """Returns when devices are gone, and leaves nothing behind."""
        missing = set(names)
        while missing:
            missing.discard(self.events.wait("device.detached", lambda e: e["device"] in missing)["device"])
        self.events.connection.close()

    def knob(self, gesture, timeout=60):
        return self.events.wait("input.knob", lambda e: e["knob"]["gesture"] == gesture, timeout)

    def quiet(self, seconds=1.5):
        """What comes until nothing has come for so long."""
        came = []
        while more := self.events.drain(seconds):
            came += more
        return came


def detents(events, source=None):
    """How far knobs were turned."""
    return sum(
        e["knob"]["detents"]
        for e in events
        if e["kind"] == "input.knob" and e["knob"]["gesture"] == "rotate" and source in (None, e["input"]["source"])
    )


def gestures(events, *names):
    """Presses and releases, in order."""
    return [e["knob"]["gesture"] for e in events if e["kind"] == "input.knob" and e["knob"]["gesture"] in names]


# ---------------------------------------------------------------------------------------------------------------------


@made_test
def a_made_knob_is_taken(_):
    """Its line comes when udev is done: group and properties are right without a wait. It turns, is pressed, and goes."""
    hearing = Hearing()
    begin = time.monotonic()
    knob = MadeDevice("knob", "--name", "Bench knob", "--id", "077d:0410")
    note(f"ready after {time.monotonic() - begin:.2f} s")
    assert group_and_mode(knob.node) == ("dashrig-devices", 0o660), group_and_mode(knob.node)
    facts, tags = udev_facts(knob.node)
    assert facts.get("LIBINPUT_IGNORE_DEVICE") == "1" and facts.get("DASHRIG_DEVICE") == "1", facts
    assert not [name for name in facts if name.startswith("ID_INPUT")], facts
    assert "dashrig" in tags and "power-switch" not in tags, tags
    assert knob.ready["udev"] is True and knob.ready["name"] == "Bench knob", knob.ready
    assert os.path.isdir(knob.ready["syspath"]), knob.ready
    handlers = [os.path.basename(path) for path in glob.glob(f"{knob.ready['syspath']}/*")]
    assert not [name for name in handlers if name.startswith(("mouse", "js"))], handlers
    name = hearing.attached("knob")
    knob.say("turn 3", "turn -1", "press", "wait 20ms", "release", "turn", "turn 1")
    wrong = knob.line()
    assert (wrong["error"], wrong["line"], wrong["field"]) == ("badLine", 6, 2), wrong
    came = hearing.quiet()
    assert detents(came) == 3 and gestures(came, "press", "release") == ["press", "release"], came
    totals, code = knob.end()
    assert code == 1 and totals["reports"] == 5 and totals["refusedLines"] == 1, (code, totals)
    assert not os.path.exists(knob.node)
    hearing.gone(name)


@made_test
def made_surfaces_are_taken(_):
    """A touchpad and a touchscreen need no word in [input]; a tap is one tap."""
    hearing = Hearing()
    pad = MadeDevice("touchpad")
    pad_name = hearing.attached("touchpad")
    screen = MadeDevice("touchscreen", "--size", "1920x720", "--slots", "2")
    screen_name = hearing.attached("touchscreen")
    for device in (pad, screen):
        assert group_and_mode(device.node) == ("dashrig-devices", 0o660), group_and_mode(device.node)
        facts, _ = udev_facts(device.node)
        assert not {n for n in facts if n.startswith("ID_INPUT_TOUCH")} | ({"ID_INPUT"} & set(facts)), facts
    pad.done("tap 0.5 0.5")
    came = hearing.quiet()
    meanings = [e["intent"]["meaning"] for e in came if e["kind"] == "input.intent"]
    phases = [c["phase"] for e in came if e["kind"] == "input.touchpad" for c in e["touchpad"]["contacts"]]
    assert meanings == ["tap"] and phases == ["began", "ended"], came
    pad.done("down 0 0.3 0.5", "down 1 0.6 0.5", *(f"wait 10ms\nmove 0 0.3 0.{n}\nmove 1 0.6 0.{n}" for n in range(5, 9)))
    pad.done("up 0", "up 1")
    ways = [e["intent"] for e in hearing.quiet() if e["kind"] == "input.intent"]
    scrolled = sum(w["y"] for w in ways if w["meaning"] == "scroll")
    assert scrolled > 10 and all(w["meaning"] == "scroll" for w in ways), ways
    assert pad.end()[1] == 0 and screen.end()[1] == 0
    hearing.gone(pad_name, screen_name)


@made_test
def a_recording_becomes_a_device(_):
    """The device is as described, without the keys that the machine would act on, and does what was recorded."""
    head = ["N: Recorded knob", "I: 0003 1209 0001 0110", "B: 00 07", "B: 02 80 00"]
    keys = bytearray(96)
    for code in (KEY_POWER, KEY_BACK, BTN_0):
        keys[code // 8] |= 1 << code % 8
    head += ["B: 01 " + " ".join(f"{byte:02x}" for byte in keys)]
    events, now = [], 0
    for kind, code, value in [(2, 7, 2), (1, KEY_POWER, 1), (1, KEY_POWER, 0), (1, BTN_0, 1), (1, BTN_0, 0), (2, 7, -5)]:
        for line in ((kind, code, value), (0, 0, 0)):
            events.append(f"E: {now // 10}.{now % 10}00000 {line[0]:04x} {line[1]:04x} {line[2]}")
        now += 1
    with tempfile.NamedTemporaryFile("w", suffix=".evemu") as file:
        file.write("\n".join(head + events) + "\n")
        file.flush()
        hearing = Hearing()
        device = MadeDevice("--play", file.name, "--delay", "6s", "--loop", "2")
        with open(f"{device.ready['syspath']}/capabilities/key", encoding="ascii") as words:
            bits = 0
            for word in words.read().split():
                bits = bits << 64 | int(word, 16)
        assert bits == 1 << KEY_BACK | 1 << BTN_0, hex(bits)
        with open(f"{device.ready['syspath']}/id/vendor", encoding="ascii") as words:
            assert words.read().strip() == "1209"
        name = hearing.attached("knob")
        totals, code = device.end()
    assert code == 0 and totals["reports"] == 8 and totals["leftOut"] == 2, (totals, code)
    note(f"latest {totals['latestMicroseconds'] / 1000:.1f} ms late")
    hearing.events.wait("device.detached", lambda e: e["device"] == name)
    came = hearing.events.events
    assert detents(came) == -6 and gestures(came, "press", "release") == ["press", "release"] * 2, came
    hearing.events.connection.close()


@made_test
def however_it_ends_the_device_goes(_):
    """SIGTERM, SIGINT, SIGKILL: the kernel has the device no more, and the service says so once."""
    for number, wanted in ((signal.SIGTERM, 4), (signal.SIGINT, 4), (signal.SIGKILL, -signal.SIGKILL)):
        hearing = Hearing()
        knob = MadeDevice("knob")
        name = hearing.attached("knob")
        assert knob.kill(number) == wanted, number
        until("its end in sysfs", lambda: not os.path.exists(knob.ready["syspath"]))
        hearing.gone(name)
    assert not present(state()["devices"], kind="knob")


@made_test
def when_nobody_reads_what_it_says(_):
    """Whoever started it is gone: the device goes too, although its input is still open."""
    run("modprobe", "uinput")
    knob = MadeDevice("knob")
    knob.process.stdout.close()
    knob.say("turn 1", "echo nobody")
    assert knob.process.wait(60) == 4
    until("its end in sysfs", lambda: not os.path.exists(knob.ready["syspath"]))


@made_test
def ten_thousand_detents(_):
    """One at a time, 500 a second: not one is lost or made up."""
    hearing = Hearing()
    knob = MadeDevice("knob")
    name = hearing.attached("knob")
    with OneProcessor(knob):
        begin = time.monotonic()
        knob.done("wait 1s", *["turn 1", "wait 2ms"] * 10_000, timeout=150)
        took = time.monotonic() - begin - 1
        hearing.quiet(3)
    came = hearing.events.events
    turned, lost = detents(came), [e for e in came if e["kind"] == "input.lost"]
    note(f"{turned} of 10,000 arrived, {10_000 / took:.0f} a second, {len(lost)} losses told")
    assert turned == 10_000 and not lost, (turned, lost)
    totals, code = knob.end()
    assert code == 0 and totals["reports"] == 10_000, totals
    hearing.gone(name)


@made_test
def the_true_ring_runs_over(_):
    """The service stands still for 2 s at 1 kHz: it says that motion is lost, says of the button what is true, and nothing
    that was not so."""
    hearing = Hearing()
    knob = MadeDevice("knob")
    name = hearing.attached("knob")
    knob.done("turn 1")
    assert hearing.knob("rotate")["knob"]["detents"] == 1
    second = ["turn 1", "wait 1ms"] * 1_000
    down, up = ["press"], ["release"]
    # What happens to the button while nobody reads, and what is to be told of it then.
    for during, told in ((down + up, []), (down, ["press"]), (up + down, None), (up, ["release"])):
        pid = main_pid()
        os.kill(pid, signal.SIGSTOP)
        try:
            begin = time.monotonic()
            middle = [line for word in during for line in (word, *["turn 1"] * 50)]
            knob.done(*second, *middle, *second)
            took = time.monotonic() - begin
        finally:
            os.kill(pid, signal.SIGCONT)
        assert took >= 2, took
        is_down = knob.is_down(BTN_0)
        lost = hearing.events.wait("input.lost", lambda e: e["device"] == name)
        assert lost["reason"]["code"] == "overflow", lost
        came = hearing.quiet()
        turned, pressed = detents(came), gestures(came, "press", "release")
        assert 0 <= turned < 200, turned
        # Let go and pressed again meanwhile: down before and after, which is all that can be known.
        assert pressed == (told if told is not None else []), (during, came)
        assert is_down == (during[-1] == "press"), during
        assert not [e for e in came if e["kind"] == "input.lost"], came
        # From here on everything counts again.
        knob.done("turn 7", "turn -2")
        assert detents(hearing.quiet()) == 5
    note(f"{took:.1f} s and {turned} of 2,050 detents came the last time")
    assert knob.end()[1] == 0
    hearing.gone(name)


@made_test
def unplugged_with_a_button_held(_):
    """One release, and it comes before the end of the device."""
    for end in (lambda knob: knob.end(), lambda knob: knob.kill(signal.SIGKILL)):
        hearing = Hearing()
        knob = MadeDevice("knob")
        name = hearing.attached("knob")
        knob.done("press")
        hearing.knob("press")
        end(knob)
        hearing.events.wait("device.detached", lambda e: e["device"] == name)
        hearing.quiet()
        came = hearing.events.events
        assert gestures(came, "press", "release") == ["press", "release"], came
        kinds = [e["kind"] for e in came]
        assert kinds.index("device.detached") > max(i for i, k in enumerate(kinds) if k == "input.knob"), kinds
        hearing.events.connection.close()


class Onlooker:
    """Another program that reads the node: it hears nothing while the service has the device to itself."""

    def __init__(self, node):
        self.descriptor = os.open(node, os.O_RDONLY | os.O_NONBLOCK)

    def heard(self, seconds=1):
        """Types, codes and values that came within that time, without the ends of reports."""
        events, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.descriptor], [], [], left)[0]:
                break
            for _, _, kind, code, value in EVENT.iter_unpack(os.read(self.descriptor, EVENT.size * 64)):
                if kind:
                    events.append((kind, code, value))
        return events

    def close(self):
        os.close(self.descriptor)


def set_grab(hearing, word):
    """Configures whether devices are grabbed, and returns when the service has read it."""
    os.makedirs(f"{CONFIGURATION}.d", exist_ok=True)
    with open(f"{CONFIGURATION}.d/grab.ini", "w", encoding="ascii") as file:
        file.write(f"[input]\ngrab = {word}\n")
    run("systemctl", "reload", "dashrigd.service")
    hearing.events.wait("configuration.reloaded")


@made_test
def grabbed_and_given_back_with_a_button_held(_):
    """Given back while the button is down: the release is told once, to all. Taken while it is down: only when it is up, so
    that whoever heard it go down hears it come up."""
    hearing = Hearing()
    hearing.events.connection.close()
    hearing.events = Subscription(RIG, kinds=["device", "input", "configuration"])
    knob = MadeDevice("knob")
    name = hearing.attached("knob")
    others = Onlooker(knob.node)
    try:
        knob.done("turn 1")
        assert detents(hearing.quiet()) == 1 and others.heard() == []
        knob.done("press")
        hearing.knob("press")
        assert others.heard() == []
        set_grab(hearing, "no")
        knob.done("turn 1", "release")
        came = hearing.quiet()
        assert detents(came) == 1 and gestures(came, "press", "release") == ["release"], came
        assert others.heard() == [(2, 7, 1), (1, BTN_0, 0)]
        knob.done("press")
        assert gestures(hearing.quiet(), "press", "release") == ["press"]
        assert others.heard() == [(1, BTN_0, 1)]
        set_grab(hearing, "yes")
        knob.done("turn 1")
        assert detents(hearing.quiet()) == 1 and others.heard() == [(2, 7, 1)]
        knob.done("release")
        assert gestures(hearing.quiet(), "press", "release") == ["release"]
        assert others.heard() == [(1, BTN_0, 0)]
        knob.done("turn 1", "press", "release")
        came = hearing.quiet()
        assert detents(came) == 1 and gestures(came, "press", "release") == ["press", "release"], came
        assert others.heard() == []
    finally:
        others.close()
        os.remove(f"{CONFIGURATION}.d/grab.ini")
    run("systemctl", "reload", "dashrigd.service")
    assert knob.end()[1] == 0
    hearing.gone(name)


@made_test
def however_the_service_ends_the_device_is_given_back(context):
    """Stopped, killed or crashed with a button held: the device is everybody's again. The next service has it only when the
    button is up, so that whoever hears it come up heard it last; then it counts, once, and is alone with it again."""
    for number in (None, signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT):
        hearing = Hearing()
        knob = MadeDevice("knob")
        hearing.attached("knob")
        others = Onlooker(knob.node)
        try:
            knob.done("press")
            hearing.knob("press")
            assert others.heard() == [], number
            pid = main_pid()
            if number is None:
                run("systemctl", "stop", "dashrigd.service")
            else:
                os.kill(pid, number)
                until("its end", lambda: not os.path.exists(f"/proc/{pid}"))
            hearing.events.connection.close()
            # Nobody has it, or one who waits for the button.
            knob.done("turn 2")
            assert others.heard() == [(2, 7, 2)], number
            again = Hearing()
            assert main_pid() != pid
            until("the knob", lambda: present(state()["devices"], kind="knob"))
            knob.done("turn 3")
            assert others.heard() == [(2, 7, 3)], number
            came = again.quiet()
            # What was held before it began was pressed for another one.
            assert detents(came) == 3 and gestures(came, "press") == [], (number, came)
            knob.done("release")
            assert others.heard() == [(1, BTN_0, 0)], number
            again.quiet()
            again.events.events.clear()
            knob.done("turn -1", "press", "release")
            came = again.quiet()
            assert detents(came) == -1 and gestures(came, "press", "release") == ["press", "release"], (number, came)
            assert others.heard() == [], number
        finally:
            others.close()
        (name,) = [d["id"] for d in present(state()["devices"], kind="knob")]
        assert knob.end()[1] == 0
        again.gone(name)
    context.pid = main_pid()


def eight(hearing):
    """Eight knobs, each with its name, that are there. Each turns by another number, so that what is of another one shows."""
    knobs, names = [], []
    for number in range(1, 9):
        knobs.append(MadeDevice("knob", "--name", f"Knob {number}"))
        names.append(hearing.attached("knob"))
    return knobs, names


def ended(hearing, knobs, names):
    for knob in knobs:
        assert knob.end()[1] == 0
    hearing.gone(*names)


# What the kernel keeps of a knob for a reader: 8 reports of as many events as it thinks a report can have (SYN, one axis and 7
# more: input_estimate_events_per_packet), as a power of two; one event more than fits, and all of it is dropped. A turn is
# two events.
QUEUE = 128
FITS = (QUEUE - 1) // 2


@made_test
def eight_full_queues(_):
    """As fast as can be, however slow the guest: while the service stands still, eight knobs turn until not one report more
    fits into their queues. All of it arrives, of each its own. One report more, and each of them says once that motion is
    lost, and nothing that was not so."""
    hearing = Hearing()
    knobs, names = eight(hearing)
    for count in [FITS] * 5 + [FITS + 1, FITS]:
        hearing.events.events.clear()
        pid = main_pid()
        os.kill(pid, signal.SIGSTOP)
        try:
            for number, knob in enumerate(knobs, 1):
                knob.say(*[f"turn {number}"] * count, "echo done")
            for knob in knobs:
                assert knob.line() == {"echo": "done"}
        finally:
            os.kill(pid, signal.SIGCONT)
        hearing.quiet()
        came = hearing.events.events
        lost = sorted(e["device"] for e in came if e["kind"] == "input.lost")
        turned = [detents(came, name) for name in names]
        if count == FITS:
            assert not lost and turned == [count * number for number in range(1, 9)], (lost, turned)
        else:
            assert lost == sorted(names), (lost, names)
            assert all(turn == 0 for turn in turned), turned
    note(f"six times {8 * FITS} turns, of which none was lost")
    ended(hearing, knobs, names)


@made_test
def eight_at_once(_):
    """Eight knobs, a turn each millisecond: of every one all detents arrive, and none gets those of another.

    Under emulation a turn costs its maker 0.2 to 0.3 ms and the service 0.1 to 0.3 ms, so eight times 1 kHz are more than two
    processors have, and the makers fall behind by themselves: what they reach is told. Whoever then gets less of a processor
    loses, and that was the service: it waited for its turn longer than it ran, while its queues ran over. So it comes first
    here. Then nothing may be lost where all share one processor; on two, a busy host can still stop the one that reads and
    not those that write, and what is lost of that is told, of exactly the knobs whose detents are missing.
    """
    hearing = Hearing()
    knobs, names = eight(hearing)

    def turn(count):
        hearing.events.events.clear()
        begin = time.monotonic()
        for number, knob in enumerate(knobs, 1):
            knob.say(*[f"turn {number}", "wait 1ms"] * count, "echo done")
        for knob in knobs:
            assert knob.line() == {"echo": "done"}
        took = time.monotonic() - begin
        hearing.quiet()
        came = hearing.events.events
        lost = {e["device"] for e in came if e["kind"] == "input.lost"}
        turned = [detents(came, name) for name in names]
        reports = sum(turn // number for number, turn in enumerate(turned, 1))
        note(f"{reports:,} of {8 * count:,} detents at {count / took:.0f} a second each, {len(lost)} devices lost some")
        for number, (name, turn) in enumerate(zip(names, turned), 1):
            assert turn % number == 0 and 0 < turn <= count * number, (name, turn)
            assert (turn < count * number) == (name in lost), (name, turn, lost)
        return lost

    with First():
        turn(2_000)
        with OneProcessor(*knobs):
            lost = turn(2_000)
    assert not lost, lost
    ended(hearing, knobs, names)

"""The verbs, against a true daemon."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dashrig import (
    App,
    ConnectionFailed,
    ConnectionLost,
    Device,
    ExpectationFailed,
    InvalidParameter,
    MethodMissing,
    Phone,
    Rig,
    ScenarioFailed,
    ScenarioWrong,
    StaleDevice,
    StartFailed,
    TimedOut,
    UnknownDevice,
)


def test_a_phone_comes_and_goes(rig: Rig) -> None:
    device = rig.plug("iphone", "phone", serial="F2LX")
    assert isinstance(device, Device)
    assert (device.id, device.generation, device.serial, device.kind) == ("phone", 1, "F2LX", "iPhone")
    active = rig.expect("session.active", device="phone", within="5s")
    assert active.session_state is not None
    assert active.session_state.phase == "active"
    display = rig.expect("display.added", where="displayState.width >= 800")
    assert display.display_state is not None
    assert display.display_state.view_areas[0].frame.width == 800
    rig.unplug("phone", surprise=True)
    closed = rig.expect("session.closed", where={"reason.code": "surpriseRemoval"})
    assert closed.reason is not None
    assert closed.reason.party == "device"
    rig.then("device.detached", device="phone")
    assert rig.plug("iphone", "phone").generation == 2


def test_state_is_typed(rig: Rig, phone: Phone) -> None:
    state = rig.state()
    assert [device.id for device in state.devices] == ["phone"]
    assert state.front == state.sessions[0].id
    assert state.displays[0].limited_ui.keyboard is False
    assert state.devices[0].phone is not None
    assert state.devices[0].phone.car_play is True
    assert state.raw["bootID"] == state.boot_id
    assert rig.device("phone").state == "active"
    with pytest.raises(UnknownDevice) as failure:
        rig.device("other")
    assert failure.value.known == ["phone"]


@pytest.mark.dashrig_phone(locked=True, name="shy")
def test_people_and_their_phone(rig: Rig, phone: Phone) -> None:
    rig.expect("session.waiting", device="shy", where={"sessionState.waiting": "locked"})
    phone.unlock()
    phone.expect("session.active")
    phone.lock()
    phone.expect("phone.changed", where="deviceState.phone.locked = true")
    phone.set_fault("stall", duration_milliseconds=10)
    phone.expect("fault.struck")
    phone.front()
    phone.send("StartNowPlayingUpdates")
    phone.unplug()
    phone.expect("session.closed")
    phone.then("device.detached")
    phone.expect_never("session.active", within="20ms")
    phone.expect_exactly(0, "session.active", within="20ms")
    assert phone.plug().generation == 2
    assert phone.device().generation == 2


def test_a_phone_refuses_and_is_tried_again(rig: Rig) -> None:
    phone = rig.phone("stubborn")
    phone.plug(refuse="identification")
    phone.expect("device.changed", where="deviceState.state = failed")
    phone.refuse("none")
    phone.expect("session.active")
    rig.plug("iphone", "mute", refuse="authentication")
    rig.expect("device.changed", device="mute", where="deviceState.state = failed")
    rig.retry("mute")
    rig.expect("session.opened", device="mute")


def test_input_goes_all_the_way(rig: Rig, phone: Phone, app: App) -> None:
    receipt = rig.rotate_knob(3, wait="read", tag="turn")
    assert (receipt.count, receipt.reached) == (1, "read")
    knob = app.expect("input.knob", where="knob.detents = 3 and input.tag = turn")
    assert knob.input is not None
    assert knob.input.id in receipt.ids
    rig.rotate_knob(-2, interval_milliseconds=5)
    app.expect("input.knob", where="knob.detents = -1")
    app.then("input.knob", where="knob.detents = -1")
    rig.press_knob(hold_milliseconds=800)
    app.expect("input.knob", where="knob.long = true")
    rig.nudge_knob("upLeft")
    app.expect("input.knob", where="knob.direction = upLeft")
    rig.press_key("home")
    app.expect("input.key", where="key.key = home and key.down = false")
    rig.tap(400, 240, display="main")
    app.expect("input.touch", where="touch.contacts.0.phase = began and touch.contacts.0.x = 400")
    rig.swipe((600, 240), (300, 200), duration_milliseconds=50)
    rig.touch([(100, 200), (300, 200)], [(100, 300), (300, 300)], duration_milliseconds=50)
    app.expect("input.touch", where=lambda event: len(event.raw["touch"]["contacts"]) == 2)
    rig.tap_touchpad(12.5, 50)
    app.expect("input.touchpad", where="touchpad.contacts.0.x = 12.5")
    rig.swipe_touchpad((10, 50), (90, 50), duration_milliseconds=50)
    rig.touch_touchpad([(10, 50)], [(20, 50)])
    rig.inject(knob={"detents": 1}, device="phone")


def test_parts_of_gestures_and_sequences(rig: Rig, phone: Phone, app: App) -> None:
    rig.press_key("home", down=True)
    # Other calls go over other connections, and change nothing about what is held.
    rig.mark("held")
    rig.press_knob(down=True)
    app.expect_never("input.key", within="50ms", where="key.down = false")
    rig.press_knob(down=False)
    rig.press_key("home", down=False)
    app.expect("input.key", where="key.key = home and key.down = false")
    with pytest.raises(InvalidParameter):
        rig.press_key("home", down=False)
    rig.inject(touch={"frame": [{"id": 0, "phase": "began", "x": 10, "y": 20}]}, display="main")
    rig.inject(touch={"frame": [{"id": 0, "phase": "ended"}]})
    app.expect("input.touch", where="touch.contacts.0.phase = ended")
    rig.rotate_knob(2, duration_milliseconds=20)
    rig.swipe((100, 100), (200, 100), velocity=2000)
    rig.flick((100, 100), (300, 100), velocity=3000)
    receipt = rig.inject_sequence(
        [{"at": 0, "knob": {"detents": 1}}, {"at": 10, "key": {"key": "back", "holdMilliseconds": 5}}], wait="read"
    )
    assert (receipt.reached, receipt.count, receipt.sent) == ("read", 3, 3)
    assert [step.count for step in receipt.steps] == [1, 2]
    assert receipt.latest_microseconds is not None


def test_what_is_held_is_let_go_with_the_rig(rig: Rig, phone: Phone) -> None:
    with Rig(rig.socket_dir) as other:
        other.press_key("home", down=True)
    rig.expect("input.key", where="key.down = false")


def test_the_vehicle_moves(rig: Rig) -> None:
    vehicle = rig.set_vehicle(speed=12.5, gear="drive", location={"latitude": 48.1, "longitude": 11.5}, range=300)
    assert (vehicle.speed, vehicle.gear, vehicle.range) == (12.5, "drive", 300)
    assert vehicle.location is not None
    assert vehicle.location.latitude == 48.1
    changed = rig.expect("vehicle.changed", where="vehicle.speed > 12")
    assert "speed" in (changed.changed or [])
    assert rig.set_vehicle(unknown=["speed"]).speed is None


@pytest.mark.dashrig_app(acknowledges=False, name="slow reader", bundle="org.example.app")
def test_an_app_acknowledges_by_itself(rig: Rig, phone: Phone, app: App) -> None:
    assert app.token
    assert app.id == rig.state().apps[0].id
    assert app.state is not None
    receipt = rig.rotate_knob(1, wait="read", within_milliseconds=50)
    assert receipt.reached == "delivered"
    event = app.expect("input.knob")
    assert app.acknowledge(event) == 1
    assert app.acknowledge([event]) == 0
    rig.expect("input.step", where="step = read")
    app.send("StartNowPlayingUpdates")
    rig.expect("message.sent", where="message.name = StartNowPlayingUpdates")
    app.close()
    rig.expect("app.ended")


def test_an_app_alone(rig: Rig, phone: Phone) -> None:
    with App("alone", socket_dir=rig.socket_dir, acknowledges=True) as app:
        assert rig.rotate_knob(1, wait="read").reached == "read"
        app.expect("input.knob")
        app.expect_never("input.key", within="50ms")
        with pytest.raises(ExpectationFailed, match=r"input\.key did not come"):
            app.expect("input.key", within="50ms")


def test_displays_vehicle_and_front(rig: Rig, phone: Phone) -> None:
    display = rig.set_display("main", width=1280, height=720, appearance="dark")
    assert (display.width, display.appearance) == (1280, "dark")
    rig.expect("display.changed", where="displayState.width = 1280")
    assert rig.set_vehicle(driver_side="right", limit_keyboard=True).limited_ui.keyboard is True
    rig.expect("vehicle.changed", where={"vehicle.driverSide": "right"})
    with pytest.raises(InvalidParameter, match="notYetThere"):
        rig.set_vehicle(not_yet_there=1)
    rig.plug("iphone", "second")
    rig.expect("session.active", device="second")
    rig.set_front("second")
    rig.expect("front.changed")


def test_faults_marks_and_messages(rig: Rig) -> None:
    listed = rig.list_faults()
    assert "drop" in [kind.name for kind in listed.kinds]
    assert "challenge" in listed.at
    fault = rig.set_fault("drop", at="challenge", device="phone")
    assert [one.id for one in rig.list_faults("phone").faults] == [fault.id]
    rig.plug("iphone", "phone")
    struck = rig.expect("fault.struck", device="phone")
    assert struck.strike is not None
    assert struck.strike.phase == "authenticating"
    rig.expect("session.active", device="phone")
    rig.set_fault("stall", device="phone", keep=True)
    assert len(rig.clear_faults(device="phone")) == 1
    rig.send("phone", "DeviceLanguageUpdate", {"language": "de"})
    rig.expect("message.received", where={"message.fields": {"language": "de"}})
    rig.mark("here")
    rig.expect("mark", where="text = here")
    profiles = rig.list_profiles()
    assert "iphone" in [one.name for one in profiles.profiles]
    assert "portrait" in [one.name for one in profiles.head_units]


def test_errors_say_whose_fault_and_what_to_do(rig: Rig) -> None:
    with pytest.raises(UnknownDevice) as unknown:
        rig.unplug("phone")
    assert unknown.value.error == "org.dashrig.Rig.UnknownDevice"
    assert (unknown.value.id, unknown.value.party) == ("phone", "client")
    assert "there is no device 'phone'" in str(unknown.value)
    assert unknown.value.advice in str(unknown.value)
    with pytest.raises(InvalidParameter, match="nokia") as wrong:
        rig.plug("nokia")
    assert wrong.value.parameter == "profile"
    assert wrong.value.error == "org.varlink.service.InvalidParameter"
    with pytest.raises(MethodMissing):
        rig.call("Nothing")
    rig.plug("iphone", "phone")
    with pytest.raises(StaleDevice) as stale:
        rig.unplug("phone", generation=7)
    assert (stale.value.id, stale.value.generation) == ("phone", 7)
    assert "unplug" in rig.timeline.render()


def test_each_event_meets_one_expectation(rig: Rig, phone: Phone) -> None:
    rig.unplug("phone")
    rig.expect("session.closed")
    rig.expect_never("session.closed", within="50ms")
    with pytest.raises(ExpectationFailed) as failure:
        rig.expect("session.closed", within="50ms")
    assert "it met another expectation" in str(failure.value)


def test_the_window_begins_with_the_step(rig: Rig, phone: Phone) -> None:
    rig.mark("one")
    rig.mark("two")
    rig.expect("mark", where="text = two")
    rig.expect("mark", where="text = one")
    rig.mark("three")
    with pytest.raises(ExpectationFailed) as failure:
        rig.expect("mark", where="text ~ o", within="50ms")
    assert "mark where text ~ o did not come within 50ms" in str(failure.value)
    assert "two: it met another expectation" in str(failure.value)
    rig.expect("mark", where="text = three")
    rig.mark("four")
    with pytest.raises(ExpectationFailed) as failure:
        rig.expect("session.active", within="50ms")
    assert "it came before the step that this expectation is about" not in str(failure.value)
    rig.expect("mark")
    with pytest.raises(ExpectationFailed, match="after the event before"):
        rig.then("mark", where="text = one", within="50ms")
    rig.new_window()
    rig.expect_never("mark", within="20ms")


def test_a_closed_rig_says_so(rig: Rig) -> None:
    other = Rig(rig.socket_dir)
    other.mark("it connects by itself")
    other.close()
    for asking in (other.state, lambda: other.mark("no"), lambda: other.expect("mark"), lambda: other.call("GetState")):
        with pytest.raises(ConnectionLost, match="closed here"):
            asking()
    with other:
        other.mark("again")


def test_a_condition_cannot_ask_the_rig(rig: Rig) -> None:
    rig.mark("here")
    with pytest.raises(RuntimeError, match="wait for itself"):
        rig.expect("mark", where=lambda event: rig.state())


def test_exactly(rig: Rig, phone: Phone) -> None:
    rig.rotate_knob(3, interval_milliseconds=10)
    found = rig.expect_exactly(3, "input.knob", within="200ms")
    assert [event.knob and event.knob.detents for event in found] == [1, 1, 1]
    rig.rotate_knob(2, interval_milliseconds=1)
    with pytest.raises(ExpectationFailed, match="came 2 times within 100ms, wanted exactly 3"):
        rig.expect_exactly(3, "input.knob", within="100ms")
    rig.rotate_knob(2, interval_milliseconds=1)
    with pytest.raises(ExpectationFailed, match="came 2 times, wanted exactly 1"):
        rig.expect_exactly(1, "input.knob", within="5s")
    rig.mark("unwanted")
    before = time.monotonic()
    with pytest.raises(ExpectationFailed, match="came, and must not"):
        rig.expect_never("mark", within="10s")
    assert time.monotonic() - before < 5


def test_a_failure_shows_the_timeline(rig: Rig, phone: Phone) -> None:
    rig.unplug("phone")
    with pytest.raises(ExpectationFailed) as failure:
        rig.expect("session.closed", where={"reason.code": "surpriseRemoval"}, within="100ms")
    text = str(failure.value)
    assert "session.closed where reason.code = surpriseRemoval did not come within 100ms" in text
    assert "> unplug device=phone" in text
    assert "· device.detached" in text
    assert "reason.code is unplugged, wanted reason.code = surpriseRemoval" in text
    assert "session.active" not in text
    assert isinstance(failure.value, AssertionError)


def test_subscriptions_and_events(rig: Rig) -> None:
    with rig.subscribe(kinds=["session"], devices=["phone"]) as updates:
        first = updates.next("5s")
        assert first.state is not None
        rig.plug("iphone", "phone")
        kinds = []
        for update in updates:
            if update.event is not None:
                kinds.append(update.event.kind)
            if "session.active" in kinds:
                break
        assert all(kind.startswith("session.") for kind in kinds)
        with pytest.raises(TimedOut):
            updates.next("20ms")
    with rig.events("mark") as events:
        rig.mark("one")
        assert events.next("5s").text == "one"
    with rig.events("mark", within="100ms") as events:
        rig.mark("two")
        assert [event.text for event in events] == ["two"]


def test_streams_of_any_method(rig: Rig, phone: Phone) -> None:
    replies = rig.stream("Capture", device="phone")
    assert "start" in next(replies)
    assert next(replies)["record"]["kind"] in ("joined", "bytes")
    replies.close()  # type: ignore[attr-defined]


def test_scenarios(rig: Rig, tmp_path: Path) -> None:
    result = rig.run("plug iphone as other\nexpect session active device other within 5s\n", name="good")
    assert result.passed
    assert result.verdict.counts.met == 1
    assert any(entry.event for entry in result.timeline)
    file = tmp_path / "bad.rig"
    file.write_text("plug iphone as other\nexpect session closed within 50ms\n")
    with pytest.raises(ScenarioFailed) as failure:
        rig.run(file)
    assert failure.value.outcome == "failed"
    assert "session.active" in str(failure.value)
    assert "bad.rig:2:1" in str(failure.value)
    assert rig.run(file, check=False).verdict.exit_code == 1
    table = "param n\ntable a\nrow 1\nrow 2\ninclude lib.rig\nmark ${x} ${n} ${a}\n"
    told = rig.run(table, includes={"lib.rig": "let x = 5\n"}, values={"n": 3}, row=2)
    assert any("mark 5 3 2" in str(entry) for entry in told.timeline)
    with pytest.raises(ScenarioWrong, match="each row of the table is a run of its own"):
        rig.run(table, includes={"lib.rig": "let x = 5\n"}, values={"n": 3})
    with pytest.raises(ScenarioWrong) as wrong:
        rig.run("plug iphone\nexpect session activ\n")
    assert "did you mean 'session.active'" in str(wrong.value)
    with pytest.raises(InvalidParameter, match="notYetThere"):
        rig.run("mark x\n", not_yet_there=1)
    before = time.monotonic()
    with pytest.raises(TimedOut, match="was stopped"):
        rig.run("wait 1min\n", within="100ms")
    assert time.monotonic() - before < 5


def test_a_private_daemon_always_ends(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\nfrom dashrig import Rig\nrig = Rig.start()\n"
        "print(rig.daemon.process.pid, rig.daemon.folder, flush=True)\n"
        "if sys.argv[1] == 'kill': os.kill(os.getpid(), signal.SIGKILL)\n"
        "if sys.argv[1] == 'raise': raise SystemExit(7)\n"
    )
    for end in ("kill", "raise", "nothing"):
        done = subprocess.run([sys.executable, "-c", script, end], capture_output=True, text=True, timeout=60)
        pid, folder = done.stdout.split()
        limit = time.monotonic() + 10
        while (Path(f"/proc/{pid}").exists() or Path(folder).exists()) and time.monotonic() < limit:
            time.sleep(0.05)
        assert not Path(f"/proc/{pid}").exists(), end
        assert not Path(folder).exists(), end


def test_a_daemon_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(StartFailed, match="is no program"):
        Rig.start(binary=tmp_path / "dashrigd")
    with pytest.raises(StartFailed, match=r"ended with 2(?s:.*)there is no such section"):
        Rig.start(configuration="[nothing]\nknown = 1\n")
    monkeypatch.delenv("DASHRIG_BIN_DIR")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StartFailed, match="no dashrigd in PATH"):
        Rig.start()


def test_a_configuration_of_ones_own() -> None:
    with Rig.start(configuration="[limits]\nclients = 9\n") as rig:
        assert rig.daemon is not None
        assert "daemon.ready" in rig.daemon.log
        assert rig.state().devices == []


@pytest.mark.dashrig_rig(arguments=["--log-level", "debug"])
def test_nothing_hangs_when_the_daemon_goes(rig: Rig, phone: Phone) -> None:
    assert rig.daemon is not None
    os.kill(rig.daemon.process.pid, signal.SIGSTOP)
    try:
        with Rig(rig.socket_dir, timeout=0.2) as other:
            raise AssertionError(other)
    except TimedOut:
        pass
    rig.daemon.kill()
    before = time.monotonic()
    with pytest.raises(ConnectionFailed):
        rig.expect("session.closed", within="30s")
    with pytest.raises(ConnectionFailed):
        rig.plug("iphone")
    with pytest.raises(ConnectionFailed), rig.events() as events:
        next(iter(events))
    assert time.monotonic() - before < 5


def test_a_daemon_that_stands_still(rig: Rig) -> None:
    assert rig.daemon is not None
    with Rig(rig.socket_dir, timeout=0.3) as other:
        os.kill(rig.daemon.process.pid, signal.SIGSTOP)
        try:
            before = time.monotonic()
            for asking in (other.state, lambda: other.expect("mark", within="100ms"), lambda: other.mark("no")):
                with pytest.raises(TimedOut):
                    asking()
            assert time.monotonic() - before < 5
        finally:
            os.kill(rig.daemon.process.pid, signal.SIGCONT)
        other.mark("yes")
        other.expect("mark", where="text = yes")


def test_it_goes_on_when_the_daemon_is_there_again(rig: Rig, phone: Phone) -> None:
    assert rig.daemon is not None
    command = rig.daemon.process.args
    assert isinstance(command, list)
    rig.daemon.kill()
    with pytest.raises(ConnectionFailed):
        rig.mark("nobody hears it")
    again = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 20
        while True:
            try:
                rig.mark("here")
                break
            except ConnectionFailed:
                assert time.monotonic() < end
                time.sleep(0.05)
        rig.expect("mark", where="text = here")
        rig.expect_never("session.active", within="20ms")
        assert rig.state().devices == []
        assert "the rig was started anew" in rig.timeline.render()
        assert phone.plug().generation == 1
    finally:
        again.terminate()
        again.wait(20)

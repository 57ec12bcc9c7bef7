"""What a rig does that goes wrong: nothing hangs, nothing is done twice, and what is lost is told."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from fake import FakeRig, event, state

from dashrig import (
    ConnectionLost,
    ExpectationFailed,
    NotRunning,
    ProtocolViolation,
    Rig,
    TimedOut,
    WrongPath,
)

Call = dict[str, Any]


def usual(
    special: Callable[[FakeRig, socket.socket, Call, str], bool],
) -> Callable[[FakeRig, socket.socket, Call], None]:
    """Answers Subscribe and GetState for an empty rig, unless `special` has answered."""

    def answer(rig: FakeRig, connection: socket.socket, call: Call) -> None:
        method = call["method"].rpartition(".")[2]
        if special(rig, connection, call, method):
            return
        if method == "Subscribe":
            rig.subscribed(connection)
        elif method == "GetState":
            rig.reply(connection, state=state())
        else:
            rig.reply(connection)

    return answer


def test_nobody_is_there(tmp_path: Any) -> None:
    with pytest.raises(NotRunning, match="there is no socket"):
        Rig(tmp_path / "nothing").connect()
    with pytest.raises(WrongPath, match="too long"):
        Rig("/" + "x" * 120).connect()
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / "org.dashrig.Rig"))
    left.close()
    with pytest.raises(NotRunning, match="nobody listens"):
        Rig(tmp_path).connect()


def test_no_answer() -> None:
    with FakeRig(lambda rig, connection, call: None) as fake, pytest.raises(TimedOut, match=r"within 0\.1 s"):
        Rig(fake.folder, timeout=0.1).connect()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"nonsense\0", "no JSON"),
        (b"[]\0", "no object"),
        (b'{"parameters": 1}\0', "no parameters"),
        (b'{"parameters": {"state": 1}}\0', "which it cannot be|object|TypeError|AttributeError"),
        (b'{"parameters": {"state": {}}}\0', "came without"),
        (b"\xff\xfe\0", "no JSON"),
    ],
)
def test_what_is_no_rig(answer: bytes, said: str) -> None:
    with (
        FakeRig(lambda rig, connection, call: connection.sendall(answer)) as fake,
        pytest.raises(ProtocolViolation, match=said),
    ):
        Rig(fake.folder, timeout=2).connect()


def test_a_lost_call_is_not_repeated() -> None:
    def special(rig: FakeRig, connection: socket.socket, call: Call, method: str) -> bool:
        if method == "Mark":
            rig.hang_up(connection)
            return True
        return False

    with FakeRig(usual(special)) as fake, Rig(fake.folder, timeout=2) as rig:
        with pytest.raises(ConnectionLost) as lost:
            rig.mark("once")
        assert lost.value.sent is True
        assert fake.calls.count("Mark") == 1


def test_a_lost_reading_is_repeated_once() -> None:
    times = 0

    def special(rig: FakeRig, connection: socket.socket, call: Call, method: str) -> bool:
        nonlocal times
        if method == "ListFaults":
            times += 1
            if times != 2:
                rig.reply(connection, faults=[], kinds=[], at=[], since=[])
            else:
                rig.hang_up(connection)
            return True
        return False

    with FakeRig(usual(special)) as fake, Rig(fake.folder, timeout=2) as rig:
        rig.list_faults()
        rig.list_faults()
        assert times == 3


def test_an_idle_connection_that_was_closed_is_replaced() -> None:
    with FakeRig(usual(lambda *_: False)) as fake, Rig(fake.folder, timeout=2) as rig:
        rig.mark("one")
        for connection in fake.connections[1:]:
            fake.hang_up(connection)
        time.sleep(0.1)
        rig.mark("two")
        assert fake.calls.count("Mark") == 2


def test_an_expectation_ends_when_the_stream_does() -> None:
    def special(rig: FakeRig, connection: socket.socket, call: Call, method: str) -> bool:
        if method == "Subscribe":
            rig.subscribed(connection)
            threading.Timer(0.2, rig.hang_up, [connection]).start()
            return True
        return False

    with FakeRig(usual(special)) as fake, Rig(fake.folder, timeout=2) as rig:
        before = time.monotonic()
        with pytest.raises(ConnectionLost):
            rig.expect("mark", within="30s")
        assert time.monotonic() - before < 5
        # The next step follows the stream anew: that is safe.
        rig.mark("again")
        assert fake.calls.count("Subscribe") == 2


def streamed(*events: dict[str, Any], sequence: int, times: int = 1) -> Callable[[FakeRig, socket.socket, Call], None]:
    """A rig whose state has this sequence, and whose stream has these events, the first `times` that it is asked."""
    begun: list[bool] = []

    def special(rig: FakeRig, connection: socket.socket, call: Call, method: str) -> bool:
        if method == "Subscribe":
            rig.subscribed(connection)
            if len(begun) < times:
                for one in events:
                    rig.reply(connection, continues=True, event=one)
            begun.append(True)
            return True
        if method == "GetState":
            rig.reply(connection, state=state(sequence=sequence if begun else 0))
            return True
        return False

    return usual(special)


def test_late_reading_is_not_a_late_event() -> None:
    """The event came in time by the rig's clock; that it is read after the deadline changes nothing."""

    def special(rig: FakeRig, connection: socket.socket, call: Call, method: str) -> bool:
        if method == "Subscribe":
            rig.subscribed(connection)

            def late() -> None:
                rig.reply(connection, continues=True, event=event(1, "mark", text="late"))

            threading.Timer(0.4, late).start()
            return True
        if method == "GetState":
            rig.reply(connection, state=state(sequence=1 if time.monotonic() - began > 0.1 else 0))
            return True
        return False

    began = time.monotonic()
    with FakeRig(usual(special)) as fake, Rig(fake.folder, timeout=5) as rig:
        assert rig.expect("mark", within="150ms").text == "late"


def test_a_late_event_is_too_late_though_it_is_read() -> None:
    late = event(1, "mark", time=60_000_000_000, text="late")
    with FakeRig(streamed(late, sequence=1)) as fake, Rig(fake.folder, timeout=5) as rig:
        with pytest.raises(ExpectationFailed, match="ms too late"):
            rig.expect("mark", within="50ms")
        rig.expect_never("mark", within="50ms")


def test_what_is_lost_cannot_be_told() -> None:
    lost = event(9, "stream.lost", lost={"first": 3, "last": 8, "merged": 2})
    with FakeRig(streamed(lost, sequence=9)) as fake, Rig(fake.folder, timeout=5) as rig:
        with pytest.raises(ExpectationFailed, match="the stream lost the events 3 to 8"):
            rig.expect_never("mark", within="50ms")
        with pytest.raises(ExpectationFailed, match="it cannot be told how many"):
            rig.expect_exactly(0, "mark", within="50ms")


def test_merged_motion_is_not_lost() -> None:
    lost = event(9, "stream.lost", lost={"first": 3, "last": 8, "merged": 6})
    with FakeRig(streamed(lost, sequence=9)) as fake, Rig(fake.folder, timeout=5) as rig:
        rig.expect_never("mark", within="50ms")


def test_a_full_timeline_cannot_tell_either() -> None:
    marks = [event(number, "mark", text="m") for number in range(1, 30)]
    with FakeRig(streamed(*marks, sequence=29)) as fake, Rig(fake.folder, timeout=5, history=10) as rig:
        with pytest.raises(ExpectationFailed, match="oldest events are gone"):
            rig.expect_never("session.active", within="50ms")
        assert len(rig.timeline) == 10
        assert rig.timeline.dropped > 0


def test_a_stream_that_was_too_slow_is_followed_anew() -> None:
    begun: list[bool] = []

    def special(rig: FakeRig, connection: socket.socket, call: Call, method: str) -> bool:
        if method == "Subscribe":
            begun.append(True)
            rig.subscribed(connection, sequence=0 if len(begun) == 1 else 7)
            if len(begun) == 1:
                error = b'{"error": "org.dashrig.Rig.SubscriberTooSlow", "parameters": {"sequence": 1}}\0'
                connection.sendall(error)
            else:
                rig.reply(connection, continues=True, event=event(8, "mark", text="after"))
            return True
        if method == "GetState":
            rig.reply(connection, state=state(sequence=8 if len(begun) > 1 else 0))
            return True
        return False

    with FakeRig(usual(special)) as fake, Rig(fake.folder, timeout=5) as rig:
        assert rig.expect("mark").text == "after"
        with pytest.raises(ExpectationFailed, match="lost the events 1 to 7"):
            rig.expect_never("input", within="20ms")
        assert "events 1 to 7 were not read in time" in rig.timeline.render()


def test_a_rig_that_was_started_anew_counts_anew() -> None:
    begun: list[bool] = []

    def special(rig: FakeRig, connection: socket.socket, call: Call, method: str) -> bool:
        if method == "Subscribe":
            begun.append(True)
            rig.subscribed(connection, sequence=100 if len(begun) == 1 else 0, epoch=f"epoch {len(begun)}")
            if len(begun) == 1:
                rig.reply(connection, continues=True, event=event(101, "mark", text="old"))
                time.sleep(0.1)
                rig.hang_up(connection)
            else:
                rig.reply(connection, continues=True, event=event(1, "mark", text="new"))
            return True
        return False

    with FakeRig(usual(special)) as fake, Rig(fake.folder, timeout=5) as rig:
        time.sleep(0.3)
        found = rig.expect("mark")
        assert (found.sequence, found.text) == (1, "new")
        assert "the rig was started anew" in rig.timeline.render()


def test_unknown_kinds_and_fields_are_kept() -> None:
    new = event(1, "weather.changed", weather={"sky": "blue"})
    with FakeRig(streamed(new, event(2, "mark", text="end"), sequence=2)) as fake, Rig(fake.folder, timeout=5) as rig:
        rig.expect("mark")
        kept = rig.timeline.events[0]
        assert kept.kind == "weather.changed"
        assert kept.raw["weather"] == {"sky": "blue"}
        assert "weather.changed" in rig.timeline.render()


def test_control_c_stops_the_waiting() -> None:
    with FakeRig(usual(lambda *_: False)) as fake, Rig(fake.folder, timeout=5) as rig:
        threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
        before = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            rig.expect("mark", within="30s")
        assert time.monotonic() - before < 5

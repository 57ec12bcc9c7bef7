"""Conditions, kinds and durations: what is right, what is wrong, and what is said about it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from fake import event

from dashrig import InvalidExpectation
from dashrig.duration import seconds, written
from dashrig.records import Event
from dashrig.where import Where, matcher

KNOB = Event(event(1, "input.knob", device="phone", knob={"gesture": "rotate", "detents": 3, "long": False}))
DISPLAY = Event(
    event(
        2,
        "display.changed",
        displayState={
            "inputs": ["touchscreen", "knob"],
            "name": "main screen",
            "viewAreas": [{"frame": {"width": 800}}],
        },
    )
)


@pytest.mark.parametrize(
    ("which", "where", "fits"),
    [
        (KNOB, None, True),
        (KNOB, {"knob.detents": 3}, True),
        (KNOB, {"knob.detents": 4}, False),
        (KNOB, {"knob.long": False, "device": "phone"}, True),
        (KNOB, {"knob.long": 0}, False),
        (KNOB, {"reason.code": None}, True),
        (KNOB, "knob.detents >= 3", True),
        (KNOB, "knob.detents > 3", False),
        (KNOB, "knob.detents < 4 and knob.gesture = rotate", True),
        (KNOB, "knob.detents <= 2 and knob.gesture = rotate", False),
        (KNOB, "knob.long = false", True),
        (KNOB, "knob.gesture != press", True),
        (KNOB, "knob.direction != up", True),
        (KNOB, "knob.direction = up", False),
        (KNOB, "knob.gesture ~ rot", True),
        (KNOB, "knob.gesture > 3", False),
        (KNOB, lambda knob: knob.knob.detents > 2, True),
        (KNOB, lambda knob: False, False),
        (DISPLAY, "displayState.inputs ~ knob", True),
        (DISPLAY, "displayState.inputs ~ kno", False),
        (DISPLAY, "displayState.viewAreas.0.frame.width = 800", True),
        (DISPLAY, "displayState.viewAreas.1.frame.width = 800", False),
        (DISPLAY, 'displayState.name = "main screen"', True),
    ],
)
def test_conditions(which: Event, where: Where | None, fits: bool) -> None:
    assert matcher(which.kind, None, where).fits(which) is fits


def test_a_kind_may_be_a_beginning() -> None:
    assert matcher("input").fits(KNOB)
    assert matcher("input knob").fits(KNOB)
    assert not matcher("session").fits(KNOB)


@pytest.mark.parametrize(
    ("kind", "where", "said"),
    [
        ("session.activ", None, "did you mean 'session.active'"),
        ("inpu", None, "did you mean 'input'"),
        ("session.active", "sessionState.fase = active", "did you mean 'phase'"),
        ("session.active", {"sesionState.phase": "active"}, "did you mean 'sessionState'"),
        ("session.active", {"device.id": "phone"}, "nothing is below 'device'"),
        ("display.added", "displayState.viewAreas.first.frame = 1", "no 'first'"),
        ("session.active", "device", "character 1: expected a condition"),
        ("session.active", "device = phone or device = other", "character 16: expected 'and'"),
        ("session.active", "", "expected a condition"),
    ],
)
def test_what_is_wrong_is_said(kind: str, where: Any, said: str) -> None:
    with pytest.raises(InvalidExpectation, match=said):
        matcher(kind, None, where)


@pytest.mark.parametrize(
    ("given", "result"),
    [(1, 1.0), ("80ms", 0.08), ("1.5s", 1.5), ("2min", 120.0), (timedelta(milliseconds=5), 0.005), (0, 0.0)],
)
def test_durations(given: Any, result: float) -> None:
    assert seconds(given) == pytest.approx(result)


@pytest.mark.parametrize("given", ["80", "ms", "-1s", -1, float("nan"), float("inf"), "1 s s"])
def test_no_durations(given: Any) -> None:
    with pytest.raises(InvalidExpectation):
        seconds(given)


def test_durations_are_written_as_people_do() -> None:
    assert [written(value) for value in (0, 0.08, 1, 2.5)] == ["0s", "80ms", "1s", "2.5s"]

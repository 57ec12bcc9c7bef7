"""How long a sequence is waited for."""

from collections.abc import Sequence
from typing import Any

import pytest

from dashrig._length import sequence_seconds


@pytest.mark.parametrize(
    ("steps", "seconds"),
    [
        ([], 0),
        ([{"at": 0, "knob": {"detents": 3}}], 1),
        ([{"at": 500, "key": {"key": "home", "down": True}}], 1.5),
        ([{"at": 0, "knob": {"detents": -100, "intervalMilliseconds": 2000}}], 200),
        ([{"at": 0, "knob": {"detents": 9, "durationMilliseconds": 4000}}, {"at": 10, "knob": {"detents": 1}}], 4),
        ([{"at": 250, "knob": {"holdMilliseconds": 750}}], 1),
        ([{"at": 0, "touch": {"velocity": 1, "contacts": []}}], 60),
        ([{"at": 0, "touch": {"durationMilliseconds": 10**9}}], 60),
        ([{"at": -5, "touch": {"durationMilliseconds": -1}}], 0),
        ([{"at": "soon", "knob": 5}, {"at": True}], 0),
        ([5, None, "key"], 0),
        ([{"at": 10**400, "knob": {"detents": 10**400, "intervalMilliseconds": 3}}], 0),
        ([{"at": 1e300}, {"at": float("nan")}], 600),
    ],
)
def test_it_is_waited_for_to_the_end_of_the_step_that_ends_last(steps: Sequence[Any], seconds: float) -> None:
    assert sequence_seconds(steps) == pytest.approx(seconds)

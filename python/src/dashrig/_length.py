"""How long the steps of a sequence take, so that a rig that is stuck is left in time and a slow one is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: The longest gesture, and the longest way from one detent to the next, in milliseconds: the rig's own limit.
LONGEST_GESTURE = 60_000.0
#: The latest step, in milliseconds: the rig's own limit.
LATEST_STEP = 600_000.0
#: The longest gesture whose step names no time, in milliseconds: more than each of the rig's own defaults.
DEFAULT_GESTURE = 1_000.0
#: The most detents of one turn: the rig's own limit.
MAXIMUM_DETENTS = 1_000


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        # An integer beyond a float, which the rig refuses.
        return None


def _time(value: Any) -> float | None:
    number = _number(value)
    return None if number is None else min(max(number, 0.0), LONGEST_GESTURE)


def _gesture(fields: Mapping[str, Any]) -> float:
    duration = _time(fields.get("durationMilliseconds"))
    if duration is not None:
        return duration
    interval = _time(fields.get("intervalMilliseconds"))
    if interval is not None:
        return interval * min(abs(_number(fields.get("detents")) or 0.0), MAXIMUM_DETENTS)
    if "velocity" in fields:
        # The way decides; whatever it is, the rig takes no longer gesture.
        return LONGEST_GESTURE
    hold = _time(fields.get("holdMilliseconds"))
    return DEFAULT_GESTURE if hold is None else hold


def sequence_seconds(steps: Sequence[Any]) -> float:
    """Seconds from the beginning to the end of the step that ends last; never less than it takes.

    What the rig will refuse, as it is no number or no mapping, takes no time; what is beyond a limit takes that.
    """
    longest = 0.0
    for step in steps:
        if not isinstance(step, Mapping):
            continue
        begin = min(max(_number(step.get("at")) or 0.0, 0.0), LATEST_STEP)
        gestures = [value for value in step.values() if isinstance(value, Mapping)]
        longest = max(longest, begin + max(map(_gesture, gestures), default=0.0))
    return longest / 1000

"""Durations, as people write them in scenarios."""

from __future__ import annotations

import math
import re
from datetime import timedelta

from .errors import InvalidExpectation

#: Seconds as a number, text with a unit ("80ms", "1.5s", "2min"), or a timedelta.
Duration = float | str | timedelta

_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0}
_TEXT = re.compile(r"(\d+(?:\.\d+)?)(ns|us|ms|s|min|h)")


def seconds(duration: Duration) -> float:
    """The duration in seconds; it is finite and not negative."""
    if isinstance(duration, timedelta):
        value = duration.total_seconds()
    elif isinstance(duration, str):
        match = _TEXT.fullmatch(duration.strip())
        if match is None:
            raise InvalidExpectation(f"{duration!r} is no duration: write a number and its unit, as in 80ms or 1.5s")
        value = float(match.group(1)) * _UNITS[match.group(2)]
    else:
        value = float(duration)
    if not math.isfinite(value) or value < 0:
        raise InvalidExpectation(f"{duration!r} is no duration that can be waited for")
    return value


def written(value: float) -> str:
    """A number of seconds as people write it: 0.08 -> 80ms."""
    return f"{value:g}s" if value >= 1 or value == 0 else f"{value * 1000:g}ms"

"""What an event has to be like: a kind, a device, and conditions on paths into the published record."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ._record import names_below
from .errors import InvalidExpectation
from .records import KINDS, Event

#: Conditions: a mapping of paths to values, text as in a scenario (`knob.detents >= 2 and input.source = injected`),
#: or a function of the event.
Where = Mapping[str, Any] | str | Callable[[Event], object]

_MISSING = object()
_CONDITION = re.compile(r"""\s*([\w.]+)\s*(!=|<=|>=|=|<|>|~)\s*("(?:[^"\\]|\\.)*"|\S+)\s*""")


@dataclass(frozen=True)
class Condition:
    """One comparison, as scenarios have it. A field that is not there is unequal to everything."""

    path: str
    comparison: str
    value: Any

    def __str__(self) -> str:
        return f"{self.path} {self.comparison} {_written(self.value)}"

    def holds(self, event: Event) -> bool:
        found = self.found(event)
        if found is _MISSING or found is None:
            return self.comparison == "!=" or (self.comparison == "=" and self.value is None)
        match self.comparison:
            case "=":
                return _equal(found, self.value)
            case "!=":
                return not _equal(found, self.value)
            case "~":
                return (
                    any(_equal(one, self.value) for one in found)
                    if isinstance(found, list)
                    else (isinstance(found, str) and str(self.value) in found)
                )
            case order:
                if isinstance(found, bool) or not isinstance(found, int | float):
                    return False
                if isinstance(self.value, bool) or not isinstance(self.value, int | float):
                    return False
                return {
                    "<": found < self.value,
                    "<=": found <= self.value,
                    ">": found > self.value,
                    ">=": found >= self.value,
                }[order]

    def found(self, event: Event) -> Any:
        value: Any = event.raw
        for name in self.path.split("."):
            if isinstance(value, Mapping) and name in value:
                value = value[name]
            elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
                value = value[int(name)]
            else:
                return _MISSING
        return value

    def miss(self, event: Event) -> str:
        """What is different, for people."""
        found = self.found(event)
        return f"{self.path} is {'not there' if found is _MISSING else _written(found)}, wanted {self}"


@dataclass(frozen=True)
class Matcher:
    """Which events an expectation means."""

    kind: str
    conditions: tuple[Condition, ...] = ()
    function: Callable[[Event], object] | None = None

    def __str__(self) -> str:
        parts = [str(condition) for condition in self.conditions]
        if self.function is not None:
            parts.append(f"{getattr(self.function, '__name__', 'a function')}(event)")
        return self.kind + (" where " + " and ".join(parts) if parts else "")

    def is_kind(self, event: Event) -> bool:
        """Kinds are names or their beginnings up to a dot."""
        kind = str(event.raw.get("kind"))
        return kind == self.kind or kind.startswith(self.kind + ".")

    def fits(self, event: Event) -> bool:
        return (
            self.is_kind(event)
            and all(condition.holds(event) for condition in self.conditions)
            and (self.function is None or bool(self.function(event)))
        )

    def misses(self, event: Event) -> list[str]:
        """What of an event of the kind does not fit."""
        missed = [condition.miss(event) for condition in self.conditions if not condition.holds(event)]
        if not missed and self.function is not None and not self.function(event):
            missed.append("the function says no")
        return missed


def matcher(kind: str, device: str | None = None, where: Where | None = None) -> Matcher:
    """Reads an expectation. A kind or a path that does not exist is an error, not an event that never comes."""
    kind = kind.strip().replace(" ", ".")
    beginnings = {known.partition(".")[0] for known in KINDS}
    if kind not in KINDS and kind not in beginnings:
        raise InvalidExpectation(f"there is no event {kind!r}{_suggestion(kind, [*KINDS, *beginnings])}")
    conditions: list[Condition] = []
    if device is not None:
        conditions.append(Condition("device", "=", device))
    if isinstance(where, str):
        conditions += _read(where)
    elif isinstance(where, Mapping):
        conditions += [Condition(path, "=", value) for path, value in where.items()]
    elif where is not None:
        return Matcher(kind, tuple(conditions), where)
    for condition in conditions:
        _check(condition.path)
    return Matcher(kind, tuple(conditions))


def _check(path: str) -> None:
    for name, known in names_below(Event, path.split(".")):
        if name not in known and not (known == ["0"] and name.isdecimal()):
            has = f"there is no {name!r} in {path!r}" if known else f"nothing is below {path.rpartition('.')[0]!r}"
            raise InvalidExpectation(has + _suggestion(name, known))


def _suggestion(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, 1, 0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def _read(text: str) -> list[Condition]:
    conditions: list[Condition] = []
    place = 0
    while True:
        match = _CONDITION.match(text, place)
        if match is None:
            raise InvalidExpectation(f"{text!r}, character {place + 1}: expected a condition such as knob.detents >= 2")
        path, comparison, value = match.groups()
        conditions.append(Condition(path, comparison, _value(value)))
        place = match.end()
        if place == len(text):
            return conditions
        if not text.startswith("and ", place):
            raise InvalidExpectation(f"{text!r}, character {place + 1}: expected 'and' between conditions")
        place += 4


def _value(text: str) -> Any:
    if text.startswith('"'):
        return re.sub(r"\\(.)", lambda escaped: "\n" if escaped.group(1) == "n" else escaped.group(1), text[1:-1])
    if text in ("true", "false"):
        return text == "true"
    for reading in (int, float):
        try:
            return reading(text)
        except ValueError:
            continue
    return text


def _equal(found: Any, wanted: Any) -> bool:
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, str) and isinstance(wanted, int | float):
        return found == str(wanted)
    return bool(found == wanted)


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str) and (not value or re.search(r"\s", value)):
        return f'"{value}"'
    return str(value)

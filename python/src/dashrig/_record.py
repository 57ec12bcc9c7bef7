"""Records as they came from the socket, read field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, overload

from .errors import ProtocolViolation

T = TypeVar("T")
R = TypeVar("R", bound="Record")

Reading = Callable[[Any], T]


class Record:
    """A record of the interface. `raw` is what came, with the fields that this package does not know."""

    __slots__ = ("raw",)

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Record) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash((type(self).__name__, tuple(sorted(self.raw))))

    def __repr__(self) -> str:
        inner = ", ".join(f"{name}={value!r}" for name, value in self.raw.items() if value is not None)
        return f"{type(self).__name__}({inner})"

    @classmethod
    def known_fields(cls) -> dict[str, Field[Any] | Maybe[Any]]:
        """The fields that this package knows, by their names in the interface."""
        return {value.name: value for value in vars(cls).values() if isinstance(value, Field | Maybe)}


def _read(reading: Reading[T], value: Any, name: str, owner: Record) -> T:
    try:
        return reading(value)
    except TypeError:
        raise ProtocolViolation(f"{type(owner).__name__}.{name} is {value!r}, which it cannot be") from None


class Field(Generic[T]):
    """A field that is always there."""

    def __init__(self, name: str, reading: Reading[T]) -> None:
        self.name = name
        self.reading = reading

    @overload
    def __get__(self, owner: None, kind: type) -> Field[T]: ...
    @overload
    def __get__(self, owner: Record, kind: type) -> T: ...
    def __get__(self, owner: Record | None, kind: type) -> T | Field[T]:
        if owner is None:
            return self
        if self.name not in owner.raw:
            raise ProtocolViolation(f"{type(owner).__name__} came without {self.name}")
        return _read(self.reading, owner.raw[self.name], self.name, owner)


class Maybe(Generic[T]):
    """A field that may be absent: None."""

    def __init__(self, name: str, reading: Reading[T]) -> None:
        self.name = name
        self.reading = reading

    @overload
    def __get__(self, owner: None, kind: type) -> Maybe[T]: ...
    @overload
    def __get__(self, owner: Record, kind: type) -> T | None: ...
    def __get__(self, owner: Record | None, kind: type) -> T | Maybe[T] | None:
        if owner is None:
            return self
        value = owner.raw.get(self.name)
        return None if value is None else _read(self.reading, value, self.name, owner)


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError
    return value


def number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError
    return float(value)


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def anything(value: Any) -> Any:
    return value


class _Recorded(Generic[R]):
    """Reads a record; keeps its type, so that paths into it can be checked."""

    def __init__(self, kind: type[R]) -> None:
        self.kind = kind

    def __call__(self, value: Any) -> R:
        if not isinstance(value, Mapping):
            raise TypeError
        return self.kind(value)


class _Listed(Generic[T]):
    def __init__(self, inner: Reading[T]) -> None:
        self.inner = inner

    def __call__(self, value: Any) -> list[T]:
        if not isinstance(value, list):
            raise TypeError
        return [self.inner(one) for one in value]


def record(kind: type[R]) -> Reading[R]:
    return _Recorded(kind)


def listed(inner: Reading[T]) -> Reading[list[T]]:
    return _Listed(inner)


def names_below(kind: type[Record], path: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each name of the path with the names that could stand there; ends where anything can."""
    reading: Any = _Recorded(kind)
    for name in path:
        if isinstance(reading, _Listed):
            if not name.isdecimal():
                yield name, ["0"]
                return
            reading = reading.inner
        elif isinstance(reading, _Recorded):
            fields = reading.kind.known_fields()
            yield name, list(fields)
            if name not in fields:
                return
            reading = fields[name].reading
        elif reading is anything:
            return
        else:
            yield name, []
            return

"""What calls answer that is no record of the interface."""

from __future__ import annotations

from dataclasses import dataclass

from . import _record as read
from ._record import Field, Maybe, Record
from .records import (
    CycleResult,
    CycleSummary,
    Event,
    Fault,
    FaultKind,
    HeadUnit,
    Profile,
    State,
    StepInputs,
    TimelineEntry,
    Verdict,
)


class InjectReceipt(Record):
    """How far injected input has come. Its events have the ids `first` to `first + count - 1`."""

    first = Field("first", read.integer)
    count = Field("count", read.integer)
    session = Maybe("session", read.text)
    reaches = Field("reaches", read.text)
    reached = Field("reached", read.text)
    sent = Maybe("sent", read.integer)
    latest_microseconds = Maybe("latestMicroseconds", read.integer)

    @property
    def ids(self) -> range:
        """The ids of the input events."""
        return range(self.first, self.first + self.count)


class SequenceReceipt(InjectReceipt):
    """How far an injected sequence has come; `steps` says which events are whose."""

    steps = Field("steps", read.listed(read.record(StepInputs)))


@dataclass(frozen=True)
class ProfileList:
    """The virtual devices and the head units there are."""

    profiles: list[Profile]
    head_units: list[HeadUnit]


@dataclass(frozen=True)
class FaultList:
    """The faults that are set; and the kinds, phases and packets that there are for them."""

    faults: list[Fault]
    kinds: list[FaultKind]
    at: list[str]
    since: list[str]


@dataclass(frozen=True)
class CycleReport:
    """What came of plugging in and out again and again: each cycle, and how many were good."""

    cycles: list[CycleResult]
    summary: CycleSummary

    @property
    def passed(self) -> bool:
        """Whether every cycle was good."""
        return self.summary.failed == 0 and not self.summary.interrupted


@dataclass(frozen=True)
class Update:
    """A part of a subscription: of the state, where `complete` is true with the last part, or an event."""

    state: State | None
    complete: bool
    event: Event | None


@dataclass(frozen=True)
class RunResult:
    """A scenario's verdict and timeline."""

    verdict: Verdict
    timeline: list[TimelineEntry]

    @property
    def passed(self) -> bool:
        return self.verdict.outcome == "passed"

    def __str__(self) -> str:
        return verdict_text(self.verdict, self.timeline)


def verdict_text(verdict: Verdict, timeline: list[TimelineEntry], most: int = 60) -> str:
    """The timeline's last lines and what failed, for people."""
    lines = [f"           … {len(timeline) - most} lines before"] if len(timeline) > most else []
    for entry in timeline[-most:]:
        line = "" if entry.line is None else str(entry.line)
        lines.append(f"  {entry.time / 1e9:9.3f} {line:>4} {entry.kind:<11} {entry.text}".rstrip())
    for failure in verdict.failures:
        place = ":".join(str(part) for part in (failure.file, failure.line, failure.column) if part is not None)
        lines.append(f"{place}: {failure.text}" if place else failure.text)
        for name, text in (("step", failure.step), ("expected", failure.expected), ("hint", failure.hint)):
            if text:
                lines.append(f"  {name}: {text}")
    lines.append(f"{verdict.outcome}: {verdict.name}, {verdict.counts.done} of {verdict.counts.steps} steps, ")
    lines[-1] += f"{verdict.counts.met} of {verdict.counts.expectations} expectations met"
    return "\n".join(lines)

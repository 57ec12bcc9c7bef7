"""What the rig published and what was asked of it, on one clock; and which event met which expectation."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .records import Event
from .where import Matcher

#: Lines of the timeline that a failure shows.
SHOWN = 40


@dataclass
class Entry:
    """A line of the timeline. `time` is nanoseconds of the rig's clock; `event` is there where the line is one, else
    `text` says what was done. `met` is the expectation that the event met."""

    time: int
    text: str = ""
    event: Event | None = None
    met: str | None = None
    sequence: int = 0
    lost: tuple[int, int] | None = None


class Timeline:
    """A bounded record. The oldest lines go first, and how many went is kept."""

    def __init__(self, most: int = 10_000) -> None:
        self._entries: deque[Entry] = deque(maxlen=most)
        #: The number of the first entry that is kept, which is how many went.
        self.dropped = 0
        #: The highest sequence among the entries that went.
        self.dropped_sequence = -1
        #: The sequence of the newest event.
        self.sequence = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    @property
    def end(self) -> int:
        """The number of the entry that comes next."""
        return self.dropped + len(self._entries)

    def _append(self, entry: Entry) -> Entry:
        if len(self._entries) == self._entries.maxlen:
            self.dropped += 1
            self.dropped_sequence = max(self.dropped_sequence, self._entries[0].sequence)
        self._entries.append(entry)
        return entry

    def event(self, event: Event) -> Entry:
        """Writes down an event."""
        self.sequence = max(self.sequence, event.sequence)
        entry = Entry(event.time, event=event, sequence=event.sequence)
        if (lost := event.lost) is not None and lost.last - lost.first + 1 > lost.merged:
            entry.lost = (lost.first, lost.last)
        return self._append(entry)

    def note(self, time: int, text: str) -> Entry:
        """Writes down what was done, or what happened to the stream."""
        return self._append(Entry(time, text=text, sequence=self.sequence))

    def gap(self, time: int, first: int, last: int) -> Entry:
        """Writes down that these events did not come."""
        self.sequence = max(self.sequence, last)
        text = f"events {first} to {last} were not read in time and are missing"
        return self._append(Entry(time, text=text, sequence=last, lost=(first, last)))

    def begin_epoch(self, sequence: int) -> None:
        """The rig was started anew and counts anew: what is here is before everything that comes."""
        for entry in self._entries:
            entry.sequence = -1
            entry.lost = None
        self.dropped_sequence = -1
        self.sequence = sequence

    def since(self, number: int) -> Iterator[tuple[int, Entry]]:
        """The entries from that number on that are kept, with their numbers."""
        first = max(number, self.dropped)
        yield from enumerate(itertools.islice(self._entries, first - self.dropped, None), first)

    @property
    def events(self) -> list[Event]:
        """The events that are kept."""
        return [entry.event for entry in self._entries if entry.event is not None]

    def render(self, since: int | None = None, most: int = SHOWN) -> str:
        """The last lines for people: seconds from the first that is kept, what was done (>), what came (·) and what
        met an expectation (+)."""
        entries = sorted(self._entries, key=lambda entry: entry.time)
        origin = entries[0].time if entries else 0
        if since is not None:
            entries = [entry for entry in entries if entry.sequence >= since + (entry.event is not None)]
        left_out = len(entries) - most
        lines = [f"           … {left_out} lines before"] if left_out > 0 else []
        for entry in entries[-most:]:
            sign = ">" if entry.event is None else "+" if entry.met else "·"
            text = entry.text if entry.event is None else describe(entry.event)
            lines.append(f"  {(entry.time - origin) / 1e9:9.3f} {sign} {text}".rstrip())
        return "\n".join(lines)


class Search:
    """Looks for events of a kind in a timeline: each entry is looked at once, however often it is asked."""

    def __init__(self, timeline: Timeline, wanted: Matcher, window: int) -> None:
        self.timeline = timeline
        self.wanted = wanted
        #: Only events with a higher sequence are looked at.
        self.window = window
        self._next = 0

    def take(self, by: int) -> Entry | None:
        """The first event that fits, has met no other expectation and came by this time of the rig's clock."""
        for number, entry in self.timeline.since(self._next):
            self._next = number + 1
            event = entry.event
            if event is None or entry.sequence <= self.window or entry.met is not None or entry.time > by:
                continue
            if self.wanted.fits(event):
                return entry
        return None

    @property
    def is_blind(self) -> str | None:
        """Why it cannot be told that an event did not come: some of the window is lost."""
        if self.timeline.dropped_sequence > self.window:
            return "the timeline's limit is reached and its oldest events are gone"
        for entry in self.timeline:
            if entry.lost is not None and entry.lost[1] > self.window:
                return f"the stream lost the events {entry.lost[0]} to {entry.lost[1]}"
        return None

    def nearly(self, by: int) -> list[str]:
        """Why the newest events of the kind did not fit, at most three."""
        lines: list[str] = []
        for entry in reversed(list(self.timeline)):
            event = entry.event
            if event is None or not self.wanted.is_kind(event):
                continue
            why = "; ".join(self.wanted.misses(event))
            if not why and entry.met is not None:
                why = f"it met another expectation: {entry.met}"
            elif not why and entry.time > by:
                why = f"it came {(entry.time - by) / 1e6:.1f} ms too late"
            elif not why and entry.sequence <= self.window:
                why = "it came before the step that this expectation is about"
            if why:
                lines.append(f"{describe(event)}: {why}")
            if len(lines) == 3:
                break
        return list(reversed(lines))


def describe(event: Event) -> str:
    """One line for people."""
    parts = [f"{event.kind:<18}", f"{event.device or '':<10}", _payload(event)]
    reason = event.reason
    if reason is not None:
        parts.append(f"{reason.code}: {reason.text}")
    return " ".join(part for part in parts if part).rstrip()


def _value_at(raw: Mapping[str, Any], name: str) -> str:
    """What changed, as the record has it; the two limits are a record of their own."""
    if name in ("keyboard", "lists"):
        raw = raw.get("limitedUI", {})
    value = raw.get(name)
    return "unknown" if value is None else str(value)


def _payload(event: Event) -> str:
    raw = event.raw
    words: list[str] = []
    if (knob := event.knob) is not None:
        turn = f"{knob.detents:+d}" if knob.detents is not None else knob.direction
        words += [knob.gesture, *([turn] if turn else [])]
    elif (touch := event.touch) is not None:
        words += [f"{one.phase} {one.x},{one.y}" for one in touch.contacts]
    elif (touchpad := event.touchpad) is not None:
        words += [f"{one.phase} {one.x:g}%,{one.y:g}%" for one in touchpad.contacts]
    elif (key := event.key) is not None:
        words += [key.key, "down" if key.down else "up"]
    elif (intent := event.intent) is not None:
        words += [intent.meaning, *([intent.direction] if intent.direction else [])]
    elif (message := event.message) is not None:
        words += [message.name, f"from the {message.sender}"]
    elif (strike := event.strike) is not None:
        words += [str(event.fault or ""), strike.phase, strike.effect]
    elif (lost := event.lost) is not None:
        words += [f"{lost.first} to {lost.last}, {lost.merged} of them merged"]
    elif (irregularity := event.irregularity) is not None:
        words += [irregularity.layer, irregularity.rule, irregularity.text]
    elif (session := event.session_state) is not None:
        words += [session.id, session.waiting or session.phase]
    elif (display := event.display_state) is not None:
        words += [display.id, f"{display.width}x{display.height}@{display.scale:g}", display.appearance]
    elif (device := event.device_state) is not None:
        words += [f"generation {device.generation}", device.kind, device.state]
    elif (fault := event.fault_state) is not None:
        words += [fault.id, fault.kind]
    elif (vehicle := event.vehicle) is not None:
        words += [f"{name} {_value_at(vehicle.raw, name)}" for name in event.changed or ("appearance", "driverSide")]
    else:
        words += [str(raw[name]) for name in ("session", "display", "app", "fault", "ending", "step") if raw.get(name)]
    if (given := event.input) is not None:
        words.append(f"input {given.id}" + (f" tag {given.tag}" if given.tag else ""))
    if event.text:
        words.append(event.text)
    return " ".join(word for word in words if word)

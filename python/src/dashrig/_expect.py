"""Expectations on a stream, with the meaning that they have in scenarios."""

from __future__ import annotations

from ._watch import Watch
from .duration import Duration, seconds, written
from .errors import ExpectationFailed
from .records import Event
from .timeline import Entry, Search
from .where import Matcher, Where, matcher


class Window:
    """Which events expectations look at: those since the step that they are about."""

    def __init__(self, sequence: int = 0) -> None:
        #: Events with a higher sequence are in the window.
        self.sequence = sequence
        #: The sequence of the event that met the expectation before, for `then`.
        self.order = sequence
        #: Steps that follow one another directly count as one: the first opens the window.
        self.acting = False

    def open(self, sequence: int) -> None:
        self.sequence = self.order = sequence
        self.acting = True


class Expecting:
    """What a rig and an app have in common: a stream that things can be expected of."""

    _watch: Watch
    _window: Window

    async def _ready(self) -> Watch:
        raise NotImplementedError

    async def _catch_up(self) -> None:
        """Waits until everything that was published until now has been read."""
        raise NotImplementedError

    async def expect(
        self, kind: str, *, within: Duration = 5.0, device: str | None = None, where: Where | None = None
    ) -> Event:
        """Waits for an event and returns it.

        It looks at everything since the step above it began (`plug`, `inject`, …; steps that follow one another
        directly count as one), so the event may have come before the line was reached. Each event meets one
        expectation. `kind` is a name of docs/events.md or its beginning up to a dot; `where` is a mapping of paths to
        values, text as in a scenario (`knob.detents >= 2 and input.source = injected`), or a function of the event.
        When the event did not come in time, ExpectationFailed shows what came instead.
        """
        return await self._expect(matcher(kind, device, where), within, in_order=False)

    async def then(
        self, kind: str, *, within: Duration = 5.0, device: str | None = None, where: Where | None = None
    ) -> Event:
        """As `expect`, but only events after the one that met the expectation before."""
        return await self._expect(matcher(kind, device, where), within, in_order=True)

    async def expect_never(
        self, kind: str, *, within: Duration, device: str | None = None, where: Where | None = None
    ) -> None:
        """Waits until the end of the time and fails at once when such an event comes, or is in the window already."""
        wanted = matcher(kind, device, where)
        search, by, limit = await self._search(wanted, within, in_order=False)
        entry = await self._take(search, by)
        if entry is not None and entry.event is not None:
            entry.met = f"never {wanted}"
            raise self._failed(f"{wanted} came, and must not within {limit}", search, by)
        self._whole(search, by)
        self._window.order = self._watch.timeline.sequence

    async def expect_exactly(
        self,
        count: int,
        kind: str,
        *,
        within: Duration,
        device: str | None = None,
        where: Where | None = None,
    ) -> list[Event]:
        """Waits until the end of the time; then exactly so many such events have come since the step above."""
        wanted = matcher(kind, device, where)
        search, by, limit = await self._search(wanted, within, in_order=False)
        found: list[Event] = []
        while (entry := await self._take(search, by)) is not None:
            entry.met = f"exactly {count} {wanted}"
            if entry.event is not None:
                found.append(entry.event)
            if len(found) > count:
                raise self._failed(f"{wanted} came {len(found)} times, wanted exactly {count}", search, by)
        self._whole(search, by)
        if len(found) < count:
            raise self._failed(f"{wanted} came {len(found)} times within {limit}, wanted exactly {count}", search, by)
        self._window.order = self._watch.timeline.sequence
        return found

    async def _expect(self, wanted: Matcher, within: Duration, in_order: bool) -> Event:
        search, by, limit = await self._search(wanted, within, in_order)
        entry = await self._take(search, by)
        if entry is None or entry.event is None:
            after = " after the event before" if in_order else ""
            raise self._failed(f"{wanted} did not come{after} within {limit}", search, by)
        entry.met = str(wanted)
        self._window.order = entry.sequence
        return entry.event

    async def _search(self, wanted: Matcher, within: Duration, in_order: bool) -> tuple[Search, int, str]:
        limit = seconds(within)
        watch = await self._ready()
        self._window.acting = False
        by = watch.clock.now() + int(limit * 1e9)
        first = self._window.order if in_order else self._window.sequence
        return Search(watch.timeline, wanted, first), by, written(limit)

    async def _take(self, search: Search, by: int) -> Entry | None:
        watch = self._watch
        while True:
            if (entry := search.take(by)) is not None:
                return entry
            left = by - watch.clock.now()
            if left <= 0:
                break
            await watch.changed(left / 1e9)
        # What the rig published in time counts, though it is read late.
        await self._catch_up()
        return search.take(by)

    def _whole(self, search: Search, by: int) -> None:
        if (why := search.is_blind) is not None:
            raise self._failed(f"{search.wanted}: it cannot be told how many came: {why}", search, by)

    def _failed(self, reason: str, search: Search, by: int) -> ExpectationFailed:
        lines = [search.timeline.render(since=search.window)]
        if lines[0]:
            lines.insert(0, "what came instead, in seconds:")
        else:
            lines = ["nothing came since the step before"]
        if near := search.nearly(by):
            lines += ["nearly:", *[f"  {line}" for line in near]]
        return ExpectationFailed(reason, "\n".join(lines))

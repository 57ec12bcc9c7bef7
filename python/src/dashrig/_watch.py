"""Follows a stream of the rig: the state first, then every event into a timeline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ._wire import Connection
from .errors import ConnectionLost, DashrigError, ProtocolViolation, SubscriberTooSlow, TimedOut
from .records import Event, State
from .timeline import Timeline

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Clock:
    """The rig's clock, in nanoseconds, read from here."""

    def __init__(self) -> None:
        self._base = time.monotonic_ns()

    def now(self) -> int:
        return time.monotonic_ns() - self._base

    def set(self, state: State, before: int, after: int) -> None:
        """Takes the rig's clock from a state that was asked for at `before` and had come at `after`. On one machine it
        is the same clock, and exact; else it is as good as half the time of the call."""
        estimate = (before + after) // 2 - state.time
        try:
            here = _BOOT_ID.read_text().strip()
        except OSError:
            here = ""
        same = here.replace("-", "") == state.boot_id.replace("-", "") and state.time - 1_000_000 <= after - state.base
        near = abs(state.base - estimate) <= after - before + 1_000_000
        self._base = state.base if same and near else estimate


class Watch:
    """One stream that carries `state`, `complete` and `event`: that of Subscribe or that of Launch."""

    def __init__(
        self,
        path: Path,
        method: str,
        parameters: Mapping[str, Any],
        timeout: float,
        timeline: Timeline,
        clock: Clock,
        on_event: Callable[[Event], None] | None = None,
    ) -> None:
        self.path = path
        self.method = method
        self.parameters = parameters
        self.timeout = timeout
        self.timeline = timeline
        self.clock = clock
        self.first: dict[str, Any] = {}
        self.epoch: str | None = None
        #: The sequence of the last event before the state with which the stream began.
        self.begun = 0
        self.failure: DashrigError | None = None
        self._on_event = on_event
        self._connection: Connection | None = None
        self._task: asyncio.Task[None] | None = None
        self._resuming = asyncio.Lock()
        self._waiters: set[asyncio.Future[None]] = set()

    async def start(self) -> None:
        """Connects, and returns when the whole state has come."""
        if self._task is not None:
            await self.close()
        self.failure = None
        self.first = {}
        before = time.monotonic_ns()
        try:
            connection = await Connection.open(self.path, self.timeout)
        except DashrigError as failure:
            self.failure = failure
            raise
        self._connection = connection
        complete: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._follow(connection, before, complete))
        try:
            async with asyncio.timeout(self.timeout):
                await complete
        except TimeoutError:
            await self.close()
            raise TimedOut(f"{self.method} did not answer with the whole state within {self.timeout:g} s") from None
        except BaseException:
            await self.close()
            raise

    async def _follow(self, connection: Connection, before: int, complete: asyncio.Future[None]) -> None:
        first = True
        try:
            async for reply in connection.stream(self.method, self.parameters, self.timeout):
                self.first = self.first or reply
                if "state" in reply:
                    # Later parts are of the same moment or after it: what came since is told by events too.
                    if first:
                        self._begin(State(reply["state"]), before)
                    first = False
                if reply.get("complete") and not complete.done():
                    complete.set_result(None)
                if "event" in reply:
                    event = Event(reply["event"])
                    self.timeline.event(event)
                    if self._on_event is not None:
                        self._on_event(event)
                    self._wake()
            raise ConnectionLost(f"the rig ended {self.method}")
        except DashrigError as failure:
            self.failure = failure
        except Exception as failure:  # A mistake in a callback or a record must not leave anybody waiting.
            self.failure = ProtocolViolation(f"{self.method}: {type(failure).__name__}: {failure}")
        finally:
            if not complete.done() and self.failure is not None:
                complete.set_exception(self.failure)
            if self.failure is not None:
                self.timeline.note(self.clock.now(), f"the stream ended: {self.failure.reason}")
            connection.abort()
            self._wake()

    def _begin(self, state: State, before: int) -> None:
        if self.epoch is None or state.epoch != self.epoch:
            self.clock.set(state, before, time.monotonic_ns())
        if self.epoch is not None and state.epoch != self.epoch:
            self.timeline.begin_epoch(state.sequence)
            self.timeline.note(state.time, "the rig was started anew")
        elif self.epoch is not None and state.sequence > self.timeline.sequence:
            self.timeline.gap(state.time, self.timeline.sequence + 1, state.sequence)
        self.epoch = state.epoch
        self.begun = state.sequence
        self.timeline.sequence = max(self.timeline.sequence, state.sequence)

    async def resume(self) -> None:
        """Connects again where the stream has ended; reading is always safe to repeat."""
        async with self._resuming:
            if self.failure is not None:
                await self.start()

    def _wake(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def changed(self, timeout: float) -> None:
        """Returns when something came, the stream ended, or the time is over. Too slow a stream is followed anew."""
        if isinstance(self.failure, SubscriberTooSlow):
            await self.resume()
            return
        if self.failure is not None:
            raise self.failure
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.add(waiter)
        try:
            async with asyncio.timeout(timeout):
                await waiter
        except TimeoutError:
            pass
        finally:
            self._waiters.discard(waiter)

    async def close(self) -> None:
        """Ends the stream."""
        task, self._task = self._task, None
        if self._connection is not None:
            self._connection.abort()
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self.failure is None:
            self.failure = ConnectionLost("it was closed here", sent=False)
        self._wake()

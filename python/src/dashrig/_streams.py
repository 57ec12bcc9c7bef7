"""Subscriptions on connections of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ._wire import RIG, Connection
from .duration import Duration, seconds
from .errors import ConnectionLost, TimedOut
from .records import Event, State
from .results import Update


class AsyncSubscription:
    """The replies of Subscribe: the whole state in parts, then every change. An async context manager and iterator; it
    ends with ConnectionLost when the rig goes away, and with SubscriberTooSlow when it was not read."""

    def __init__(
        self,
        socket_dir: Path,
        kinds: Iterable[str] | None,
        devices: Iterable[str] | None,
        timeout: float,
    ) -> None:
        self._path = socket_dir / RIG
        self._timeout = timeout
        self._parameters: dict[str, Any] = {}
        if kinds is not None:
            self._parameters["kinds"] = [kinds] if isinstance(kinds, str) else list(kinds)
        if devices is not None:
            self._parameters["devices"] = [devices] if isinstance(devices, str) else list(devices)
        self._connection: Connection | None = None
        self._replies: asyncio.Queue[Update] = asyncio.Queue(maxsize=1024)
        self._task: asyncio.Task[None] | None = None
        self._failure: Exception | None = None
        self._begun = asyncio.Event()

    async def open(self) -> Self:
        """Subscribes, and returns when the first part of the state has come: nothing after it is missed."""
        if self._connection is None:
            self._connection = await Connection.open(self._path, self._timeout)
            self._task = asyncio.create_task(self._read(self._connection))
            await self._begun.wait()
            if self._failure is not None and self._replies.empty():
                await self.close()
                raise self._failure
        return self

    async def _read(self, connection: Connection) -> None:
        try:
            async for reply in connection.stream(f"{RIG}.Subscribe", self._parameters, self._timeout):
                state, event = reply.get("state"), reply.get("event")
                update = Update(
                    None if state is None else State(state),
                    reply.get("complete") is True,
                    None if event is None else Event(event),
                )
                await self._replies.put(update)
                self._begun.set()
            self._failure = ConnectionLost("the rig ended the subscription")
        except Exception as failure:  # Whoever reads is told.
            self._failure = failure
        finally:
            self._begun.set()
            connection.abort()

    async def next(self, within: Duration | None = None) -> Update:
        """The next reply; TimedOut when none came within that time."""
        await self.open()
        if not self._replies.empty():
            return self._replies.get_nowait()
        assert self._task is not None
        getting = asyncio.ensure_future(self._replies.get())
        limit = None if within is None else seconds(within)
        try:
            await asyncio.wait({getting, self._task}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if getting.done():
                return getting.result()
        finally:
            getting.cancel()
        if not self._replies.empty():
            return self._replies.get_nowait()
        if self._failure is not None:
            raise self._failure
        raise TimedOut(f"nothing came within {limit:g} s", error="eventDidNotCome")

    async def close(self) -> None:
        """Ends it."""
        task, self._task = self._task, None
        if self._connection is not None:
            self._connection.abort()
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        return await self.next()


class AsyncEvents:
    """The events of a subscription, from the moment on at which it is entered."""

    def __init__(
        self,
        socket_dir: Path,
        kinds: Iterable[str] | None,
        devices: Iterable[str] | None,
        timeout: float,
        within: Duration | None,
    ) -> None:
        self._subscription = AsyncSubscription(socket_dir, kinds, devices, timeout)
        self._timeout = timeout
        self._within = None if within is None else seconds(within)
        self._end: float | None = None

    async def open(self) -> Self:
        """Subscribes; events from here on are not missed."""
        await self._subscription.open()
        return self

    async def next(self, within: Duration | None = None) -> Event:
        """The next event; TimedOut when none came within that time."""
        loop = asyncio.get_running_loop()
        end = None if within is None else loop.time() + seconds(within)
        while True:
            left = None if end is None else max(0.0, end - loop.time())
            update = await self._subscription.next(left)
            if update.event is not None:
                return update.event

    async def close(self) -> None:
        """Ends it."""
        await self._subscription.close()

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        if self._within is None:
            return await self.next()
        now = asyncio.get_running_loop().time()
        self._end = now + self._within if self._end is None else self._end
        try:
            return await self.next(max(0.0, self._end - now))
        except TimedOut:
            raise StopAsyncIteration from None

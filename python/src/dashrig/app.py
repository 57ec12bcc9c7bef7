"""An app: a client of org.dashrig.App."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from ._expect import Expecting, Window
from ._watch import Clock, Watch
from ._wire import APP, Caller, socket_folder
from .errors import DashrigError, ProtocolViolation
from .records import Event, State
from .timeline import Timeline


class AsyncApp(Expecting):
    """An app, from its Launch until it is closed. Use it as a context manager.

    It is told its session, the session's displays and input: `expect` and `then` look at that. With `acknowledges` it
    says at once of all input that it has read it, so that `inject(wait="read")` comes so far. With `device` it is bound
    to that device, else it follows the front session.
    """

    #: What is published is told to the app within this time, in seconds: there is no call by which it could ask.
    GRACE = 0.1

    def __init__(
        self,
        name: str,
        *,
        bundle: str | None = None,
        device: str | None = None,
        acknowledges: bool = False,
        socket_dir: str | os.PathLike[str] | None = None,
        timeout: float = 10.0,
        window: Window | None = None,
    ) -> None:
        self.name = name
        self.acknowledges = acknowledges
        self.socket_dir = socket_folder(socket_dir)
        self.timeline = Timeline()
        self.token = ""
        self.id = ""
        manifest = {"name": name} if bundle is None else {"name": name, "bundle": bundle}
        parameters: dict[str, Any] = {"manifest": manifest}
        if device is not None:
            parameters["device"] = device
        path = self.socket_dir / APP
        self._caller = Caller(path, timeout)
        self._clock = Clock()
        self._watch = Watch(path, f"{APP}.Launch", parameters, timeout, self.timeline, self._clock, self._told)
        self._given_window = window
        self._window = window or Window()
        self._unread: list[int] = []
        self._acknowledging: asyncio.Task[None] | None = None
        self._launched = False

    async def launch(self) -> Self:
        """Declares the app; `async with` does it."""
        if not self._launched:
            await self._watch.start()
            self._launched = True
            first = self._watch.first
            if not isinstance(first.get("app"), str) or not isinstance(first.get("id"), str):
                await self.close()
                raise ProtocolViolation("Launch did not give a token and an id")
            self.token, self.id = first["app"], first["id"]
            if self._given_window is None:
                self._window.open(self._watch.begun)
            self._acknowledge_soon()
        return self

    async def close(self) -> None:
        """Ends the app."""
        self._launched = False
        if self._acknowledging is not None:
            self._acknowledging.cancel()
            await asyncio.gather(self._acknowledging, return_exceptions=True)
        await self._watch.close()
        await self._caller.close()

    async def __aenter__(self) -> Self:
        return await self.launch()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def state(self) -> State | None:
        """The state that concerned the app when it was launched."""
        raw = self._watch.first.get("state")
        return State(raw) if isinstance(raw, Mapping) else None

    async def acknowledge(self, read: Event | int | Iterable[Event | int]) -> int:
        """Says that input was read: events or their input ids. Returns how many of them were still waited for."""
        ids: list[int] = []
        for one in [read] if isinstance(read, Event | int) else read:
            if isinstance(one, int):
                ids.append(one)
            elif (given := one.input) is not None:
                ids.append(given.id)
        reply = await self._caller.call(f"{APP}.Acknowledge", {"app": self.token, "ids": ids})
        return int(reply["acknowledged"])

    async def send(self, message: str, fields: Mapping[str, Any] | None = None) -> None:
        """Sends a message of the control session on the session that the app belongs to."""
        parameters: dict[str, Any] = {"app": self.token, "message": message}
        if fields is not None:
            parameters["fields"] = dict(fields)
        await self._caller.call(f"{APP}.Send", parameters)

    async def call(self, /, method: str, **parameters: Any) -> dict[str, Any]:
        """Calls a method of org.dashrig.App by its own name, with this app's token. For what has no verb."""
        given = {name: value for name, value in parameters.items() if value is not None}
        return await self._caller.call(f"{APP}.{method}", {"app": self.token, **given})

    def _told(self, event: Event) -> None:
        if not self.acknowledges or event.input is None:
            return
        self._unread.append(event.input.id)
        self._acknowledge_soon()

    def _acknowledge_soon(self) -> None:
        if not self._unread or not self._launched:
            return
        if self._acknowledging is None or self._acknowledging.done():
            self._acknowledging = asyncio.create_task(self._acknowledge_all())

    async def _acknowledge_all(self) -> None:
        while self._unread and self._launched:
            # The order of the stream is kept; what comes meanwhile goes with the next call.
            ids, self._unread = self._unread[:512], self._unread[512:]
            try:
                await self.acknowledge(ids)
            except DashrigError as failure:
                self.timeline.note(self._clock.now(), f"acknowledge: {failure.reason}")
                return

    async def _ready(self) -> Watch:
        if not self._launched:
            await self.launch()
        return self._watch

    async def _catch_up(self) -> None:
        end = self._clock.now() + int(self.GRACE * 1e9)
        while (left := end - self._clock.now()) > 0 and self._watch.failure is None:
            await self._watch.changed(left / 1e9)

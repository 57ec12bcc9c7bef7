"""Varlink over a Unix socket: JSON objects that end with a NUL; one call at a time on a connection."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from .errors import (
    CallError,
    ConnectionFailed,
    ConnectionLost,
    NotRunning,
    ProtocolViolation,
    SocketNotPermitted,
    TimedOut,
    WrongPath,
    error_from_reply,
)

#: The longest reply that is read, in bytes. The rig's own limit for what it takes is 4 MiB; a whole state of a full
#: rig stays far below this.
MAXIMUM_REPLY = 16 << 20
#: The longest path of a Unix socket, in bytes with its NUL: `sun_path` of unix(7).
MAXIMUM_PATH = 108

RIG = "org.dashrig.Rig"
APP = "org.dashrig.App"


def socket_folder(given: str | os.PathLike[str] | None) -> Path:
    """The folder of the sockets: what is given, else DASHRIG_SOCKET_DIR, else /run/dashrig."""
    return Path(given or os.environ.get("DASHRIG_SOCKET_DIR") or "/run/dashrig")


class Connection:
    """One connection to one of the rig's sockets. It is of no use any more once a call has failed in the middle."""

    def __init__(self, path: Path, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.path = path
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, path: Path, timeout: float) -> Connection:
        """Connects, at most `timeout` seconds long."""
        if len(os.fsencode(path)) >= MAXIMUM_PATH:
            raise WrongPath(f"{path} is too long for a socket's path: {MAXIMUM_PATH - 1} bytes are the most")
        try:
            async with asyncio.timeout(timeout):
                reader, writer = await asyncio.open_unix_connection(str(path), limit=MAXIMUM_REPLY)
        except TimeoutError:
            raise TimedOut(f"nobody took the connection to {path} within {timeout:g} s") from None
        except PermissionError:
            raise SocketNotPermitted(f"this user may not use {path}") from None
        except OSError as failure:
            raise cls._refused(path, failure) from None
        return cls(path, reader, writer)

    @staticmethod
    def _refused(path: Path, failure: OSError) -> ConnectionFailed:
        match failure.errno:
            case errno.ENOENT | errno.ENOTDIR:
                return NotRunning(f"there is no socket {path}")
            case errno.ECONNREFUSED:
                return NotRunning(f"nobody listens at {path}")
            case _:
                return ConnectionFailed(f"cannot connect to {path}: {failure.strerror}", error="system")

    @property
    def is_open(self) -> bool:
        """Whether the other end has not closed it, as far as is known."""
        return not (self._reader.at_eof() or self._writer.is_closing())

    async def _send(self, method: str, parameters: Mapping[str, Any], more: bool) -> None:
        call: dict[str, Any] = {"method": method, "parameters": parameters}
        if more:
            call["more"] = True
        data = json.dumps(call, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\0"
        try:
            self._writer.write(data)
            await self._writer.drain()
        except OSError:
            raise ConnectionLost(f"the rig closed the connection while {method} was sent", sent=False) from None

    async def _receive(self, method: str, *, later: bool = False) -> dict[str, Any]:
        """The parameters of the next reply, and whether another follows, under the key that no field can have."""
        try:
            data = await self._reader.readuntil(b"\0")
        except asyncio.IncompleteReadError as end:
            if end.partial:
                raise ConnectionLost(f"the rig closed the connection in the middle of its answer to {method}") from None
            when = f"while {method} went on" if later else f"before it answered {method}"
            raise ConnectionLost(f"the rig closed the connection {when}") from None
        except asyncio.LimitOverrunError:
            raise ProtocolViolation(f"the answer to {method} is longer than {MAXIMUM_REPLY} bytes") from None
        except OSError as failure:
            raise ConnectionLost(f"the connection broke before {method} was answered: {failure.strerror}") from None
        try:
            reply = json.loads(data[:-1])
        except ValueError as failure:
            raise ProtocolViolation(f"the answer to {method} is no JSON: {failure}") from None
        if not isinstance(reply, dict):
            raise ProtocolViolation(f"the answer to {method} is no object")
        if reply.get("error") is not None:
            raise error_from_reply(reply)
        parameters = reply.get("parameters")
        if parameters is not None and not isinstance(parameters, dict):
            raise ProtocolViolation(f"the answer to {method} has no parameters")
        return {"": reply.get("continues") is True, **(parameters or {})}

    async def call(self, method: str, parameters: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        """One call and its answer. Close the connection when it fails in any other way than by an answered error."""
        try:
            async with asyncio.timeout(timeout):
                await self._send(method, parameters, more=False)
                reply = await self._receive(method)
        except TimeoutError:
            raise TimedOut(f"{method} was not answered within {timeout:g} s") from None
        del reply[""]
        return reply

    async def stream(self, method: str, parameters: Mapping[str, Any], timeout: float) -> AsyncIterator[dict[str, Any]]:
        """The answers to one call with `more`; `timeout` is for the first. Closing the connection ends it."""
        try:
            async with asyncio.timeout(timeout):
                await self._send(method, parameters, more=True)
                reply = await self._receive(method)
        except TimeoutError:
            raise TimedOut(f"{method} was not answered within {timeout:g} s") from None
        while True:
            continues = reply.pop("")
            yield reply
            if not continues:
                return
            reply = await self._receive(method, later=True)

    def abort(self) -> None:
        """Closes it at once, whatever was still to be sent: nobody may be there to take it."""
        with contextlib.suppress(RuntimeError):
            self._writer.transport.abort()

    async def close(self) -> None:
        """Closes it, and waits until it is."""
        self.abort()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


class Caller:
    """Calls on one socket, over as many connections as there are calls at once; idle ones are kept."""

    #: Idle connections that are kept.
    KEPT = 4

    def __init__(self, path: Path, timeout: float, *, alone: bool = False) -> None:
        """`alone`: one connection for all calls, one after the other."""
        self.path = path
        self.timeout = timeout
        self._idle: list[Connection] = []
        self._turn = asyncio.Lock() if alone else contextlib.nullcontext()

    async def call(
        self, method: str, parameters: Mapping[str, Any], *, timeout: float | None = None, repeatable: bool = False
    ) -> dict[str, Any]:
        """One call. It is tried once more, over a new connection, only where that is safe: when the rig closed an idle
        connection before the call was sent, or when the call is `repeatable` because it only reads."""
        limit = self.timeout if timeout is None else timeout
        async with self._turn:
            return await self._call(method, parameters, limit, repeatable)

    async def _call(self, method: str, parameters: Mapping[str, Any], limit: float, repeatable: bool) -> dict[str, Any]:
        connection, fresh = await self._connection(limit)
        try:
            return await self._call_on(connection, method, parameters, limit)
        except ConnectionLost as lost:
            if fresh or (lost.sent and not repeatable):
                raise
        return await self._call_on(await Connection.open(self.path, limit), method, parameters, limit)

    async def _connection(self, timeout: float) -> tuple[Connection, bool]:
        while self._idle:
            connection = self._idle.pop()
            if connection.is_open:
                return connection, False
            connection.abort()
        return await Connection.open(self.path, timeout), True

    async def _call_on(
        self, connection: Connection, method: str, parameters: Mapping[str, Any], timeout: float
    ) -> dict[str, Any]:
        keep = False
        try:
            reply = await connection.call(method, parameters, timeout)
            keep = True
            return reply
        except CallError:
            keep = True
            raise
        finally:
            if keep and len(self._idle) < self.KEPT:
                self._idle.append(connection)
            else:
                connection.abort()

    async def close(self) -> None:
        """Closes the idle connections."""
        idle, self._idle = self._idle, []
        for connection in idle:
            await connection.close()

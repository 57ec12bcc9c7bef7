"""A rig of a few lines, which answers what a test wants it to: also what a true one never does."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

VEHICLE = {"appearance": "light", "driverSide": "left", "limitedUI": {"keyboard": False, "lists": False}}


def state(sequence: int = 0, epoch: str = "first", time: int = 0) -> dict[str, Any]:
    """An empty rig."""
    return {
        "epoch": epoch,
        "sequence": sequence,
        "time": time,
        "base": 0,
        "realtime": 0,
        "bootID": "elsewhere",
        "version": "0",
        "instance": "",
        "vehicle": VEHICLE,
        "devices": [],
        "sessions": [],
        "displays": [],
        "apps": [],
    }


def event(sequence: int, kind: str, time: int = 0, **fields: Any) -> dict[str, Any]:
    """An event."""
    return {"sequence": sequence, "time": time, "kind": kind, "origin": "simulated", **fields}


class FakeRig:
    """Listens on a control socket; `answer` gets a connection and a call, and does with it what it likes."""

    def __init__(self, answer: Callable[[FakeRig, socket.socket, dict[str, Any]], None]) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="fakerig-"))
        self.answer = answer
        self.calls: list[str] = []
        self.connections: list[socket.socket] = []
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(self.folder / "org.dashrig.Rig"))
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        buffer = b""
        try:
            while data := connection.recv(65536):
                *calls, buffer = (buffer + data).split(b"\0")
                for raw in calls:
                    call = json.loads(raw)
                    self.calls.append(call["method"].rpartition(".")[2])
                    self.answer(self, connection, call)
        except OSError:
            return

    @staticmethod
    def reply(connection: socket.socket, continues: bool = False, **parameters: Any) -> None:
        reply: dict[str, Any] = {"parameters": parameters}
        if continues:
            reply["continues"] = True
        connection.sendall(json.dumps(reply).encode() + b"\0")

    def subscribed(self, connection: socket.socket, **fields: Any) -> None:
        """The first answer to Subscribe."""
        self.reply(connection, continues=True, state=state(**fields), complete=True)

    @staticmethod
    def hang_up(connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()

    def close(self) -> None:
        self.listener.close()
        for connection in self.connections:
            connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> FakeRig:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

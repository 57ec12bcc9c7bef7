"""A Varlink client as small as can be: JSON objects ended by a NUL on a Unix socket."""

import json
import socket
import time


class CallFailed(Exception):
    """The service answered with an error; `name` is the error's, `parameters` are its fields."""

    def __init__(self, name, parameters):
        super().__init__(f"{name} {parameters}")
        self.name, self.parameters = name, parameters


class Connection:
    def __init__(self, path, timeout=30):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.pending = b""

    def send(self, method, parameters=None, more=False):
        call = {"method": method, "parameters": parameters or {}}
        if more:
            call["more"] = True
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def receive(self, timeout=None):
        """The next reply's parameters. Raises CallFailed, TimeoutError, or EOFError when the service closed."""
        end = time.monotonic() + timeout if timeout is not None else None
        while b"\0" not in self.pending:
            if end is not None:
                self.socket.settimeout(max(0.001, end - time.monotonic()))
            part = self.socket.recv(65536)
            if not part:
                raise EOFError("the service closed the connection")
            self.pending += part
        text, self.pending = self.pending.split(b"\0", 1)
        reply = json.loads(text)
        if "error" in reply:
            raise CallFailed(reply["error"], reply.get("parameters", {}))
        return reply.get("parameters") or {}

    def call(self, method, parameters=None):
        self.send(method, parameters)
        return self.receive()

    def close(self):
        self.socket.close()


class Subscription:
    """The events of the control interface, of some kinds or of all, behind its first whole state."""

    def __init__(self, path, timeout=60, kinds=None):
        self.connection = Connection(path, timeout)
        self.connection.send("org.dashrig.Rig.Subscribe", {"kinds": kinds} if kinds else None, more=True)
        self.state, self.events = {"devices": []}, []
        while True:
            part = self.connection.receive(timeout)
            for key, value in (part.get("state") or {}).items():
                known = self.state.get(key)
                self.state[key] = known + value if isinstance(known, list) else value
            if part.get("complete"):
                return

    def wait(self, kind, matches=lambda event: True, timeout=60):
        """The next event of this kind that matches; those before it are kept in `events`."""
        end = time.monotonic() + timeout
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no {kind} within {timeout} s; came: {[e['kind'] for e in self.events[-20:]]}")
            try:
                event = self.connection.receive(left).get("event")
            except TimeoutError:
                continue
            if event:
                self.events.append(event)
                if event["kind"] == kind and matches(event):
                    return event

    def drain(self, seconds):
        """Everything that comes within that time."""
        came, end = [], time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                event = self.connection.receive(left).get("event")
            except TimeoutError:
                break
            if event:
                came.append(event)
        self.events += came
        return came

"""A rig as a resource of labgrid, so that many rigs are shared through its coordinator.

The exporter's file, on the machine of the rig:

    bench-1:
      DashrigRig:
        host: bench-1.example.org
        socket_dir: /run/dashrig

The environment of a test:

    targets:
      main:
        resources:
          RemotePlace:
            name: bench-1
        drivers:
          DashrigDriver: {}
    imports:
      - dashrig.labgrid

The test: `rig = target.get_driver("DashrigDriver").rig`. A rig on another machine is reached through labgrid's own SSH
connection, which forwards its sockets.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import attr
from labgrid.driver import Driver
from labgrid.driver.exception import ExecutionError
from labgrid.factory import target_factory
from labgrid.resource.common import NetworkResource
from labgrid.step import step
from labgrid.util.ssh import sshmanager

from ._wire import APP, RIG
from .duration import Duration
from .records import Event
from .results import RunResult
from .sync import Rig

#: How long the forwarding of a socket may take, in seconds.
FORWARD_TIME = 10.0


@target_factory.reg_resource
@attr.s(eq=False)
class DashrigRig(NetworkResource):
    """A running dashrigd: its machine and the folder of its sockets there.

    host: the machine, by the name under which SSH reaches it. socket_dir: an absolute path.
    """

    socket_dir: str = attr.ib(default="/run/dashrig", validator=attr.validators.instance_of(str))

    @property
    def remote(self) -> str | None:
        """The machine that SSH has to reach, or None where the rig is on this one."""
        extra: dict[str, Any] = getattr(self, "extra", None) or {}
        if extra.get("proxy_required"):
            return str(extra.get("proxy"))
        here = {"localhost", "127.0.0.1", "::1", socket.gethostname(), socket.getfqdn()}
        return None if self.host in here else str(self.host)


@target_factory.reg_driver
@attr.s(eq=False)
class DashrigDriver(Driver):
    """Connects to a rig while it is active. `rig` is a dashrig.Rig; the verbs here are in labgrid's steps too.

    timeout: for each answer, in seconds.
    """

    bindings: ClassVar[dict[str, Any]] = {"resource": {DashrigRig}}

    timeout: float = attr.ib(default=10.0, converter=float)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._rig: Rig | None = None
        self._folder: Path | None = None
        self._forwarded: list[tuple[list[str], str]] = []

    def on_activate(self) -> None:
        """Connects, through forwarded sockets where the rig is on another machine."""
        folder = Path(self.resource.socket_dir)
        try:
            if (host := self.resource.remote) is not None:
                folder = self._forward(host, folder)
            self._rig = Rig(folder, timeout=self.timeout).connect()
        except BaseException:
            self.on_deactivate()
            raise

    def on_deactivate(self) -> None:
        """Ends the connection. What is plugged in stays: unplug it, or leave it to who comes next."""
        rig, self._rig = self._rig, None
        if rig is not None:
            rig.close()
        forwarded, self._forwarded = self._forwarded, []
        for prefix, forward in forwarded:
            # The connection may be gone already, and its forwards with it.
            self._control(prefix, "cancel", forward, check=False)
        folder, self._folder = self._folder, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def _forward(self, host: str, remote: Path) -> Path:
        self._folder = Path(tempfile.mkdtemp(prefix="dashrig-lg-", dir="/tmp"))
        prefix = list(sshmanager.get(host).get_prefix())
        for name in (RIG, APP):
            forward = f"{self._folder / name}:{remote / name}"
            self._control(prefix, "forward", forward, check=True)
            self._forwarded.append((prefix, forward))
        return self._folder

    def _control(self, prefix: list[str], command: str, forward: str, *, check: bool) -> None:
        """Has the SSH connection that labgrid keeps forward a socket, or stop it."""
        full = [*prefix[:-1], "-O", command, "-L", forward, prefix[-1]]
        try:
            done = subprocess.run(full, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=FORWARD_TIME)
        except subprocess.TimeoutExpired:
            if check:
                raise ExecutionError(f"ssh did not forward {forward} within {FORWARD_TIME:g} s") from None
            return
        if check and done.returncode != 0:
            raise ExecutionError(f"ssh did not forward {forward}: {done.stderr.strip()}")

    @property
    @Driver.check_active
    def rig(self) -> Rig:
        """The rig; every verb is there."""
        return self._connected()

    @property
    @Driver.check_active
    def socket_dir(self) -> str:
        """The folder of the sockets on this machine, for other programs: DASHRIG_SOCKET_DIR."""
        return os.fspath(self._connected().socket_dir)

    def _connected(self) -> Rig:
        assert self._rig is not None, "only while the driver is active"
        return self._rig

    @Driver.check_active
    @step(args=["profile", "name"])
    def plug(self, profile: str = "iphone", name: str | None = None, **options: Any) -> str:
        """Plugs in a virtual device, and returns its name."""
        return self._connected().plug(profile, name, **options).id

    @Driver.check_active
    @step(args=["device", "surprise"])
    def unplug(self, device: str, surprise: bool = False) -> None:
        """Unplugs a device with a goodbye, or by surprise."""
        self._connected().unplug(device, surprise=surprise)

    @Driver.check_active
    @step(args=["kind", "options"])
    def expect(self, kind: str, **options: Any) -> Event:
        """Waits for an event: as the rig's expect."""
        return self._connected().expect(kind, **options)

    @Driver.check_active
    @step(args=["scenario"])
    def run(self, scenario: str | os.PathLike[str], within: Duration = 600.0) -> RunResult:
        """Runs a scenario: as the rig's run."""
        return self._connected().run(scenario, within=within)

"""A private dashrigd, and its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from ._wire import APP, MAXIMUM_PATH, RIG
from .errors import StartFailed

#: How long the daemon may take to end by itself, in seconds.
STOP_TIME = 5.0
#: The last bytes of the log that are shown.
LOG_TAIL = 4000

# Ends the daemon and removes its folder when this process is gone, however it went: its end of the pipe closes then.
# A word in the pipe says that all of it is done already.
_KEEPER = """
if read -r word; then exit 0; fi
kill -TERM "$1" 2>/dev/null
i=0
while [ $i -lt 50 ] && kill -0 "$1" 2>/dev/null; do sleep 0.1; i=$((i + 1)); done
kill -KILL "$1" 2>/dev/null
rm -rf -- "$2"
"""


def find_binary(given: str | os.PathLike[str] | None = None) -> Path:
    """The program dashrigd: what is given, else that of DASHRIG_BIN_DIR, else that in PATH."""
    if given is not None:
        path = Path(given)
        if os.access(path, os.X_OK) and path.is_file():
            return path
        raise StartFailed(f"{path} is no program", party="client", advice="build it: swift build --product dashrigd")
    if folder := os.environ.get("DASHRIG_BIN_DIR"):
        return find_binary(Path(folder) / "dashrigd")
    found = shutil.which("dashrigd")
    if found is None:
        raise StartFailed(
            "there is no dashrigd in PATH",
            party="client",
            advice="install it, or name the folder where it was built with DASHRIG_BIN_DIR",
        )
    return Path(found)


class Daemon:
    """A running dashrigd with a folder of its own. `stop` ends it; so does the end of this process."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes], keeper: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.process = process
        self._keeper = keeper
        self._finalizer = weakref.finalize(self, Daemon._end, os.getpid(), process, keeper, folder)

    @property
    def socket_dir(self) -> Path:
        """The folder of its sockets."""
        return self.folder / "s"

    @property
    def state_dir(self) -> Path:
        """The folder of its state."""
        return self.folder / "state"

    @property
    def log(self) -> str:
        """The end of what it logged."""
        with contextlib.suppress(OSError), (self.folder / "log").open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - LOG_TAIL))
            return file.read().decode(errors="replace")
        return ""

    @classmethod
    def start(
        cls,
        binary: str | os.PathLike[str] | None = None,
        configuration: str | None = None,
        arguments: Sequence[str] = (),
        timeout: float = 10.0,
    ) -> Daemon:
        """Starts it without hardware, and returns when it answers on both sockets."""
        program = find_binary(binary)
        folder = Path(tempfile.mkdtemp(prefix="dashrig-"))
        if len(os.fsencode(folder / "s" / RIG)) >= MAXIMUM_PATH:
            os.rmdir(folder)
            folder = Path(tempfile.mkdtemp(prefix="dashrig-", dir="/tmp"))
        # An INI file of its own, empty too: that of the machine is not for this one.
        (folder / "dashrig.ini").write_text(configuration or "")
        command = [str(program), "--socket-dir", str(folder / "s"), "--state-dir", str(folder / "state")]
        command += ["--config", str(folder / "dashrig.ini"), "--no-usb", "--no-input", *arguments]
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES", "STATE_DIRECTORY")
        }
        log: IO[bytes]
        with (folder / "log").open("wb") as log:
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=environment,
                    start_new_session=True,
                )
            except OSError as failure:
                shutil.rmtree(folder, ignore_errors=True)
                raise StartFailed(f"{program} does not start: {failure.strerror}") from None
        keeper = subprocess.Popen(
            ["/bin/sh", "-c", _KEEPER, "dashrig-keeper", str(process.pid), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        daemon = cls(folder, process, keeper)
        try:
            daemon._wait(timeout)
        except BaseException:
            daemon.stop()
            raise
        return daemon

    def _wait(self, timeout: float) -> None:
        end = time.monotonic() + timeout
        waiting = [str(self.socket_dir / name) for name in (RIG, APP)]
        while waiting:
            code = self.process.poll()
            if code is not None:
                # 2: its arguments or its configuration are wrong.
                party = "client" if code == 2 else "local"
                raise StartFailed(f"dashrigd ended with {code} before it was ready\n{self.log}".rstrip(), party=party)
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
                probe.settimeout(max(0.01, end - time.monotonic()))
                probe.connect(waiting[0])
                del waiting[0]
                continue
            if time.monotonic() > end:
                raise StartFailed(f"dashrigd was not ready within {timeout:g} s\n{self.log}".rstrip())
            time.sleep(0.01)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """Kills it at once, as a crash would; `stop` is still to be called."""
        if self.is_running:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        """Ends it and removes its folder; once is enough, more often does no harm."""
        self._finalizer()

    @staticmethod
    def _end(owner: int, process: subprocess.Popen[bytes], keeper: subprocess.Popen[bytes], folder: Path) -> None:
        if os.getpid() != owner:  # The end of a forked process is not that of who started the daemon.
            return
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_TIME)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            keeper.communicate(b"done\n", timeout=STOP_TIME)
        shutil.rmtree(folder, ignore_errors=True)

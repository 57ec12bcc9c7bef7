"""A true coordinator and exporter of labgrid on this machine, and two clients that share a rig through them."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("labgrid")

from labgrid import Environment
from labgrid.exceptions import NoResourceFoundError

from dashrig import NotRunning, Rig

README = Path(__file__).resolve().parents[1] / "README.md"
#: The exporter's file and the environment, as the README shows them.
CONFTEST = next(
    text for text in re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.M | re.S) if "target" in text
)
EXPORTED, USED = re.findall(r"^```yaml\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
PROGRAMS = Path(sys.executable).parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert process.poll() is None, "it ended"
            assert time.monotonic() < end, "it does not listen"
            time.sleep(0.1)


class Lab:
    """A coordinator with one exporter of one rig."""

    def __init__(self, folder: Path, rig: Rig) -> None:
        self.folder = folder
        self.rig = rig
        self.address = f"127.0.0.1:{free_port()}"
        self.processes: list[subprocess.Popen[bytes]] = []
        coordinator = self.start("coordinator", "-l", self.address)
        wait_for_port(int(self.address.rpartition(":")[2]), coordinator)

    def start(self, name: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [str(PROGRAMS / f"labgrid-{name}"), *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def export(self, host: str, *arguments: str) -> None:
        file = self.folder / "exporter.yaml"
        file.write_text(
            EXPORTED.replace("bench-1.example.org", host).replace("/run/dashrig", os.fspath(self.rig.socket_dir))
        )
        self.start("exporter", "-c", self.address, "-n", "here", *arguments, str(file))
        end = time.monotonic() + 30
        while "here/bench/DashrigRig" not in self.client("resources").stdout:
            assert time.monotonic() < end, (self.folder / "exporter.log").read_text()
            time.sleep(0.2)

    def client(self, *arguments: str, user: str = "one") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(PROGRAMS / "labgrid-client"), "-x", self.address, *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "LG_USERNAME": user, "LG_HOSTNAME": "test"},
        )

    def environment(self) -> Environment:
        file = self.folder / "environment.yaml"
        file.write_text(f"{USED}options:\n  coordinator_address: '{self.address}'\n")
        return Environment(str(file))

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def lab(tmp_path: Path, rig: Rig) -> Iterator[Lab]:
    lab = Lab(tmp_path, rig)
    try:
        yield lab
    finally:
        lab.stop()


@pytest.fixture(autouse=True)
def one_session(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """labgrid keeps one coordinator for a process, and asks for places in the name of this user."""
    from labgrid.resource.common import ResourceManager

    monkeypatch.setenv("LG_USERNAME", "one")
    monkeypatch.setenv("LG_HOSTNAME", "test")
    yield
    ResourceManager.instances.clear()


def ok(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_rig_is_shared(lab: Lab) -> None:
    lab.export("localhost")
    ok(lab.client("-p", "bench", "create"))
    ok(lab.client("-p", "bench", "add-match", "here/bench/DashrigRig"))
    ok(lab.client("-p", "bench", "acquire"))
    taken = lab.client("-p", "bench", "acquire", user="two")
    assert taken.returncode != 0
    assert "already acquired" in taken.stdout + taken.stderr

    target = lab.environment().get_target("main")
    driver: Any = target.get_driver("DashrigDriver")
    assert driver.socket_dir == os.fspath(lab.rig.socket_dir)
    assert driver.plug("iphone", "phone") == "phone"
    assert driver.expect("session.active", device="phone").session_state.phase == "active"
    driver.rig.rotate_knob(1)
    driver.rig.expect("input.knob")
    assert driver.run("plug iphone as other\nexpect session active device other within 5s\n").passed
    driver.unplug("phone", surprise=True)
    # The rig that the test holds sees what came over labgrid.
    lab.rig.expect("session.closed", where="reason.code = surpriseRemoval")
    target.deactivate(driver)
    with pytest.raises(Exception, match=r"not been activated|not active"):
        _ = driver.rig

    ok(lab.client("-p", "bench", "release"))
    ok(lab.client("-p", "bench", "acquire", user="two"))
    ok(lab.client("-p", "bench", "release", user="two"))


def test_with_the_plugin_of_labgrid(lab: Lab, pytester: pytest.Pytester) -> None:
    lab.export("localhost")
    ok(lab.client("-p", "bench", "create"))
    ok(lab.client("-p", "bench", "add-match", "here/bench/DashrigRig"))
    ok(lab.client("-p", "bench", "acquire"))
    lab.environment()
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile("""
    def test_it(rig, phone, app):
        assert rig.rotate_knob(1, wait="read").reached == "read"
        phone.unplug()

    def test_it_fails(rig):
        rig.expect("session.active", within="50ms")
    """)
    result = pytester.runpytest_subprocess("-q", "--lg-env", str(lab.folder / "environment.yaml"))
    result.assert_outcomes(passed=1, failed=1)
    assert "dashrig timeline" in result.stdout.str()


def test_a_rig_that_is_not_there_is_told(lab: Lab) -> None:
    from labgrid.target import Target

    from dashrig import labgrid

    # labgrid's classes have no types.
    types: Any = labgrid
    target = Target("main")
    types.DashrigRig(target, "rig", host="localhost", socket_dir=str(lab.folder))
    driver = types.DashrigDriver(target, "driver")
    with pytest.raises(NotRunning, match="there is no socket"):
        target.activate(driver)
    with pytest.raises(NoResourceFoundError):
        Target("other").get_resource("DashrigRig")


def sshd() -> str | None:
    return os.environ.get("DASHRIG_SSHD") or shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")


@pytest.mark.skipif(sshd() is None or shutil.which("ssh-keygen") is None, reason="there is no sshd to go through")
def test_a_rig_on_another_machine(lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other machine is this one behind a true sshd: the sockets are forwarded through labgrid's connection."""
    program, port = sshd(), free_port()
    assert program is not None
    for key in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / key)], check=True)
    (tmp_path / "authorized").write_text((tmp_path / "user.pub").read_text())
    (tmp_path / "known").write_text(f"[127.0.0.1]:{port} {(tmp_path / 'host.pub').read_text()}")
    (tmp_path / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {tmp_path}/host\nAuthorizedKeysFile {tmp_path}/authorized\n"
        f"StrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\nPasswordAuthentication no\n"
    )
    (tmp_path / "ssh_config").write_text(
        f"Host elsewhere\n  HostName 127.0.0.1\n  Port {port}\n  IdentityFile {tmp_path}/user\n"
        f"  IdentitiesOnly yes\n  UserKnownHostsFile {tmp_path}/known\n"
    )
    wrapper = tmp_path / "bin/ssh"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {tmp_path}/ssh_config "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    with (tmp_path / "sshd.log").open("wb") as log:
        server = subprocess.Popen([program, "-D", "-e", "-f", str(tmp_path / "sshd_config")], stderr=log)
    try:
        wait_for_port(port, server)
        lab.export("elsewhere")
        ok(lab.client("-p", "bench", "create"))
        ok(lab.client("-p", "bench", "add-match", "here/bench/DashrigRig"))
        ok(lab.client("-p", "bench", "acquire"))
        target = lab.environment().get_target("main")
        driver: Any = target.get_driver("DashrigDriver")
        assert driver.socket_dir != os.fspath(lab.rig.socket_dir)
        driver.plug("iphone", "phone")
        driver.expect("session.active", device="phone")
        with driver.rig.launch("app", acknowledges=True):
            assert driver.rig.rotate_knob(1, wait="read").reached == "read"
        folder = Path(driver.socket_dir)
        target.deactivate(driver)
        assert not folder.exists()
    finally:
        from labgrid.util.ssh import sshmanager

        sshmanager.close_all()
        server.terminate()
        server.wait()

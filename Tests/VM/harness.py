"""What the tests in the VM share: their list, their time, waiting, the service, udev."""

import faulthandler
import glob
import grp
import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time

from varlink_client import Connection

RIG, APP = "/run/dashrig/org.dashrig.Rig", "/run/dashrig/org.dashrig.App"
# The most seconds of a test that says nothing else: several times what the slowest of them takes here.
LIMIT = 300
tests, notes = [], []


def test(function):
    tests.append(function)
    return function


def lasts(seconds):
    """A test that may take longer or must take less than others."""

    def mark(function):
        function.limit = seconds
        return function

    return mark


class TooLong(Exception):
    """A test is over its time."""


class Limited:
    """The time of a test. When it is over the test fails, and the next one's turn comes. Where that does not help, since the
    kernel holds the thread, it says where everything hangs; Tests/VM/watch, outside, then ends the VM."""

    def __init__(self, name, seconds):
        self.name, self.seconds, self.over = name, seconds, threading.Event()

    def __enter__(self):
        print(f"vm: {self.name}: begins, at most {self.seconds} s", flush=True)
        signal.signal(signal.SIGALRM, self.late)
        signal.alarm(self.seconds)
        threading.Thread(target=self.tell, daemon=True).start()

    def late(self, *_):
        raise TooLong(f"not within {self.seconds} s")

    def __exit__(self, *_):
        signal.alarm(0)
        self.over.set()

    def tell(self):
        if self.over.wait(self.seconds + 15):
            return
        print(f"vm: {self.name} hangs:", flush=True)
        faulthandler.dump_traceback(sys.stdout)
        for path in glob.glob("/proc/[0-9]*/task/[0-9]*/stat"):
            try:
                name, rest = read(path).split("(", 1)[1].rsplit(")", 1)
                if rest.split()[0] == "D":
                    print(f"{name} ({path.split('/')[4]}) waits in the kernel:\n{read(path[:-4] + 'stack')}", flush=True)
            except OSError:
                continue  # it has ended


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def note(text):
    """A measured figure, printed behind the test's line."""
    notes.append(text)


def run(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def until(what, condition, timeout=60, pause=0.05):
    """What `condition` gives, once it gives something."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {timeout} s")
        time.sleep(pause)


def property_of(unit, name):
    return run("systemctl", "show", "--value", "-p", name, unit)


def main_pid():
    return int(property_of("dashrigd.service", "MainPID"))


def state():
    connection = Connection(RIG)
    try:
        return connection.call("org.dashrig.Rig.GetState")["state"]
    finally:
        connection.close()


def present(devices, **facts):
    """The devices that are plugged in and have these facts."""
    return [d for d in devices if d["state"] != "detached" and all(d.get(k) == v for k, v in facts.items())]


def slowness():
    """How much longer a process takes to start here than on a bench: 1 ms there."""
    begin = time.monotonic()
    for _ in range(10):
        subprocess.run(["/bin/true"], check=True)
    return min(5.0, max(1.0, (time.monotonic() - begin) / 10 / 0.001))


def journal(**fields):
    """The service's records of this boot."""
    text = run("journalctl", "-q", "-o", "json", "-u", "dashrigd.service", *(f"{k}={v}" for k, v in fields.items()))
    return [json.loads(line) for line in text.splitlines()]


def udev_facts(path):
    """Properties and tags that udev keeps of a device."""
    text = run("udevadm", "info", "-q", "property", path)
    facts = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return facts, {tag for tag in facts.get("CURRENT_TAGS", "").split(":") if tag}


def group_and_mode(path):
    facts = os.stat(path)
    return grp.getgrgid(facts.st_gid).gr_name, stat.S_IMODE(facts.st_mode)

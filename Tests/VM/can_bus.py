"""Controllers on a CAN bus of the kernel's own (vcan): what the service needs to hear them, what it makes of their frames, and
what it says when the bus goes down or is taken away."""

import json
import os
import socket
import struct
import subprocess
import time

from harness import journal, main_pid, run, until
from made_input import CONFIGURATION, Hearing, detents, gestures

BUS = "vcan0"
DROP_IN = "/etc/systemd/system/dashrigd.service.d"
FRAME = struct.Struct("=IB3x8s")
# The table of idrive-g, as far as it is used here.
TURN, BUTTON, ALIVE = 0x264, 0x267, 0x277
START, KEEP_ALIVE, POLL = 0x273, 0x501, 0x317
TESTS = []


def can_test(function):
    TESTS.append(function)
    return function


def add_bus():
    run("ip", "link", "add", "dev", BUS, "type", "vcan")
    run("ip", "link", "set", "dev", BUS, "up")


class Controller:
    """What an iDrive controller sends, from another socket on the same bus."""

    def __init__(self, counter=0):
        self.counter = counter
        self.socket = socket.socket(socket.AF_CAN, socket.SOCK_RAW, socket.CAN_RAW)
        self.socket.bind((BUS,))

    def send(self, number, *data):
        self.socket.send(FRAME.pack(number, len(data), bytes(data)))

    def stand(self):
        self.send(TURN, 0, 0, 0, self.counter & 0xFF, self.counter >> 8)

    def turn(self, detents):
        """As the true one: it says where it stands, which runs over its end."""
        self.counter = (self.counter + detents) & 0xFFFF
        self.stand()

    def button(self, state):
        """0 up, 1 down, 2 still down."""
        self.send(BUTTON, 0, 0, 0, state, 0xDE, 0)

    def heard(self, wanted, seconds=10):
        """Whether a frame with these bytes is sent to the controller within that time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                number, length, data = FRAME.unpack(self.socket.recv(FRAME.size))
            except TimeoutError:
                return False
            if (number, data[:length]) == wanted:
                return True
        return False

    def close(self):
        self.socket.close()


def records(name):
    return [r for r in journal() if r.get("DASHRIG_RECORD") == name]


def doctor():
    """What doctor says of CAN."""
    done = subprocess.run(["dashrig", "doctor", "--json"], capture_output=True, text=True)
    found = [f for f in json.loads(done.stdout)["findings"] if f["subject"] == "can"]
    assert len(found) <= 1, found
    return found[0] if found else None


def attached(hearing, controller):
    """The controller's device, which comes with a frame; the service may open the bus a little later than it is there."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        controller.send(ALIVE, 0)
        for event in hearing.events.drain(0.5):
            if event["kind"] == "device.attached":
                return event
    raise TimeoutError("no device came with the controller's frames")


def works(hearing, controller):
    """It turns and is pressed, once and to the right number."""
    controller.stand()
    for step in (1, 1, -3, 7):
        controller.turn(step)
    for state in (1, 2, 2, 0):
        controller.button(state)
    came = hearing.quiet()
    assert detents(came) == 6 and gestures(came, "press", "release") == ["press", "release"], came


# ---------------------------------------------------------------------------------------------------------------------


@can_test
def a_controller_needs_the_drop_in(context):
    """The service may not open CAN sockets. It says so by the setting's name and goes on; doctor says why, and its one
    command mends it."""
    run("modprobe", "vcan")
    add_bus()
    run("systemctl", "start", "dashrig-rig.socket", "dashrigd.service")
    assert doctor() is None
    os.makedirs(f"{CONFIGURATION}.d", exist_ok=True)
    with open(f"{CONFIGURATION}.d/can.ini", "w", encoding="ascii") as file:
        file.write(f"[input]\ncan = {BUS}:idrive-g\n")
    run("systemctl", "reload", "dashrigd.service")
    told = until("its word", lambda: records("can.notOpened"))
    assert f"[input] can = {BUS}:idrive-g: " in told[-1]["MESSAGE"] and "dashrig doctor" in told[-1]["MESSAGE"], told
    found = doctor()
    assert found["state"] == "problem" and "EAFNOSUPPORT" in found["text"], found
    run("bash", "-c", found["mend"].replace("sudo ", ""))
    context.pid = main_pid()
    assert os.listdir(DROP_IN) == ["can.conf"] and doctor()["state"] == "ok", doctor()
    until("the bus is listened to", lambda: "can_raw" in run("lsmod"))
    assert len(records("can.notOpened")) == len(told)


@can_test
def frames_become_turns_and_presses(_):
    """Every detent of a thousand arrives, over the end of the counter; a press is one; the controller is told what it must
    hear."""
    hearing, controller = Hearing(), Controller(counter=0xFF00)
    event = attached(hearing, controller)
    device = event["deviceState"]
    assert device["kind"] == "knob" and device["origin"] == "observed" and device["profile"] == "idrive-g", device
    works(hearing, controller)
    for _ in range(1_000):
        controller.turn(1)
        time.sleep(0.001)
    assert detents(hearing.quiet()) == 1_000
    assert controller.heard((KEEP_ALIVE, bytes([1, 0, 0, 0, 0, 0, 0, 0])))
    assert controller.heard((POLL, bytes([0x10, 0, 0, 0, 0, 0, 0, 0])))
    # It has forgotten its start, and is started again.
    controller.send(0x5E7, 0, 0, 0, 0, 6)
    assert controller.heard((START, bytes([0x1D, 0xE1, 0x00, 0xF0, 0xFF, 0x7F, 0xDE, 0x04])))
    # What others say on the bus is nothing to it.
    controller.send(0x123, 1, 2, 3)
    assert hearing.quiet() == []
    controller.close()
    hearing.events.connection.close()


@can_test
def a_bus_goes_down_and_up(_):
    """Down with the knob pressed: one release, and the device goes, with the reason. Up: it is there again with its first
    frame, and everything counts."""
    hearing, controller = Hearing(), Controller()
    controller.stand()
    controller.button(1)
    hearing.knob("press")
    before = len(records("can.up"))
    run("ip", "link", "set", "dev", BUS, "down")
    event = hearing.events.wait("device.detached")
    assert event["reason"]["code"] == "interfaceDown", event
    came = hearing.events.events
    assert gestures(came, "press", "release") == ["press", "release"], came
    assert [e["kind"] for e in came][-1] == "device.detached", came
    assert "the interface is down" in until("its word", lambda: records("can.down"))[-1]["MESSAGE"]
    run("ip", "link", "set", "dev", BUS, "up")
    # The other socket was told that it is down, too.
    controller.close()
    controller = Controller(counter=300)
    name = attached(hearing, controller)["device"]
    assert name == event["device"], (name, event)
    works(hearing, controller)
    assert len(until("its word", lambda: records("can.up")[before:])) == 1
    controller.close()
    hearing.events.connection.close()


@can_test
def a_bus_is_taken_away_and_comes_back(_):
    """As an adapter that is pulled with the knob pressed, and plugged in again: it is opened without a reload."""
    for _ in range(2):
        hearing, controller = Hearing(), Controller()
        controller.stand()
        controller.button(1)
        hearing.knob("press")
        before = len(records("can.gone"))
        run("ip", "link", "delete", "dev", BUS)
        event = hearing.events.wait("device.detached")
        # The kernel takes it down first; who is quick hears that.
        assert event["reason"]["code"] in ("surpriseRemoval", "interfaceDown"), event
        assert gestures(hearing.events.events, "press", "release") == ["press", "release"], hearing.events.events
        controller.close()
        assert len(until("its word", lambda: records("can.gone")[before:])) == 1
        add_bus()
        controller = Controller(counter=500)
        assert attached(hearing, controller)["device"] == event["device"]
        works(hearing, controller)
        controller.close()
        hearing.events.connection.close()


@can_test
def a_bus_that_is_no_longer_named_is_closed(context):
    """The device goes with its setting; without the drop-in all is as it was."""
    hearing, controller = Hearing(), Controller()
    os.remove(f"{CONFIGURATION}.d/can.ini")
    run("systemctl", "reload", "dashrigd.service")
    event = hearing.events.wait("device.detached")
    assert event["reason"]["code"] == "notConfigured", event
    controller.send(ALIVE, 0)
    came = [e["kind"] for e in hearing.quiet()]
    assert "device.attached" not in came and not [kind for kind in came if kind.startswith("input")], came
    controller.close()
    hearing.events.connection.close()
    run("ip", "link", "delete", "dev", BUS)
    os.remove(f"{DROP_IN}/can.conf")
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "dashrigd.service")
    context.pid = main_pid()
    assert doctor() is None

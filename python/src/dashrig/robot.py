"""The verbs as keywords of Robot Framework.

*** Settings ***
Library    dashrig.robot.DashrigLibrary

*** Test Cases ***
A Phone Is Pulled
    Start Rig
    Plug    iphone    phone
    Expect    session.active    device=phone    within=1s
    Unplug    phone    surprise=True
    Expect    session.closed    where=reason.code = surpriseRemoval
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from robot.api import logger
from robot.api.deco import keyword, library

from . import __version__
from .errors import DashrigError, ExpectationFailed, ScenarioFailed
from .records import Event
from .sync import App, Rig


@library(scope="SUITE", version=__version__, doc_format="TEXT")
class DashrigLibrary:
    """Phones, knobs, displays and expectations on one timeline. `Start Rig` or `Connect Rig` comes first; the rig is
    closed at the end of the suite.

    Options of keywords have the names of the interface, in snake_case: `trust_after_milliseconds=500`. Times carry a
    unit: `80ms`, `1.5s`. Conditions are those of scenarios: `where=knob.detents >= 2 and input.source = injected`.
    """

    ROBOT_LISTENER_API_VERSION = 3

    def __init__(self, socket_dir: str | None = None, timeout: float = 10.0) -> None:
        self.ROBOT_LIBRARY_LISTENER = self
        self._socket_dir = socket_dir
        self._timeout = timeout
        self._rig: Rig | None = None
        self._apps: dict[str, App] = {}

    @property
    def rig(self) -> Rig:
        """The rig that the keywords speak to."""
        if self._rig is None:
            raise RuntimeError("there is no rig yet: use Start Rig or Connect Rig first")
        return self._rig

    def _end_suite(self, data: Any, result: Any) -> None:
        self.close_rig()

    def _start_test(self, data: Any, result: Any) -> None:
        if self._rig is not None:
            self._rig.new_window()

    def _end_test(self, data: Any, result: Any) -> None:
        if self._rig is not None and result.failed:
            logger.info(f"the rig's timeline, in seconds:\n{self._rig.timeline.render()}")

    # The rig.

    @keyword
    def start_rig(self, binary: str | None = None, configuration: str | None = None) -> None:
        """Starts a private daemon, which ends with the suite."""
        self.close_rig()
        self._rig = Rig.start(binary=binary, configuration=configuration, timeout=self._timeout)

    @keyword
    def connect_rig(self, socket_dir: str | None = None) -> None:
        """Connects to a running rig: that of the folder, of the library's argument, or of DASHRIG_SOCKET_DIR."""
        self.close_rig()
        self._rig = Rig(socket_dir or self._socket_dir, timeout=self._timeout).connect()

    @keyword
    def close_rig(self) -> None:
        """Closes the apps and the connection, and ends a private daemon."""
        apps, self._apps = self._apps, {}
        rig, self._rig = self._rig, None
        for app in apps.values():
            app.close()
        if rig is not None:
            rig.close()

    @keyword
    def get_state(self) -> dict[str, Any]:
        """The whole state, with the names of the interface."""
        return dict(self.rig.state().raw)

    @keyword
    def get_device(self, name: str) -> dict[str, Any]:
        """A device by its name."""
        return dict(self.rig.device(name).raw)

    # Cable.

    @keyword
    def plug(self, profile: str = "iphone", name: str | None = None, **options: Any) -> str:
        """Plugs in a virtual device, and returns its name."""
        return self.rig.plug(profile, name, **_values(options, Rig.plug)).id

    @keyword
    def unplug(self, device: str, surprise: bool = False) -> None:
        """Unplugs a device with a goodbye, or by surprise."""
        self.rig.unplug(device, surprise=surprise)

    @keyword
    def set_phone(self, device: str, **options: Any) -> None:
        """Changes a phone: locked, trusted, slow_milliseconds, refuse, …"""
        self.rig.set_phone(device, **_values(options, Rig.set_phone))

    @keyword
    def lock(self, device: str) -> None:
        """Locks a phone."""
        self.rig.set_phone(device, locked=True)

    @keyword
    def unlock(self, device: str) -> None:
        """Unlocks a phone."""
        self.rig.set_phone(device, locked=False)

    @keyword
    def trust(self, device: str) -> None:
        """Taps "trust" on a phone."""
        self.rig.set_phone(device, trusted=True)

    @keyword
    def retry(self, device: str) -> None:
        """Tries a handshake that failed again at once."""
        self.rig.retry(device)

    @keyword
    def set_front(self, device: str) -> None:
        """Puts a device's session in front."""
        self.rig.set_front(device)

    # Displays, the vehicle and input.

    @keyword
    def set_display(self, display: str, **options: Any) -> None:
        """Changes a display: width, height, scale, appearance, …"""
        self.rig.set_display(display, **_values(options, Rig.set_display))

    @keyword
    def set_vehicle(self, **options: Any) -> None:
        """Changes the vehicle: appearance, driver_side, limit_keyboard, …"""
        self.rig.set_vehicle(**_values(options, Rig.set_vehicle))

    @keyword
    def rotate_knob(self, detents: int, **options: Any) -> str:
        """Turns the knob, positive is clockwise; returns how far the input came: accepted, delivered or read."""
        return self.rig.rotate_knob(detents, **_values(options, Rig.inject, Rig.rotate_knob)).reached

    @keyword
    def press_knob(self, **options: Any) -> str:
        """Pushes the knob."""
        return self.rig.press_knob(**_values(options, Rig.inject, Rig.press_knob)).reached

    @keyword
    def nudge_knob(self, direction: str, **options: Any) -> str:
        """Pushes the knob sideways: up, downLeft, …"""
        return self.rig.nudge_knob(cast(Any, direction), **_values(options, Rig.inject, Rig.nudge_knob)).reached

    @keyword
    def press_key(self, key: str, **options: Any) -> str:
        """Presses a key: home, back, voice, …"""
        return self.rig.press_key(key, **_values(options, Rig.inject, Rig.press_key)).reached

    @keyword
    def tap(self, x: float, y: float, **options: Any) -> str:
        """Taps a display, in its pixels."""
        return self.rig.tap(x, y, **_values(options, Rig.inject, Rig.tap)).reached

    @keyword
    def swipe(self, x: float, y: float, to_x: float, to_y: float, **options: Any) -> str:
        """One finger from one point to another on a display."""
        return self.rig.swipe((x, y), (to_x, to_y), **_values(options, Rig.inject, Rig.swipe)).reached

    @keyword
    def tap_touchpad(self, x: float, y: float, **options: Any) -> str:
        """Taps the touchpad, in percent."""
        return self.rig.tap_touchpad(x, y, **_values(options, Rig.inject, Rig.tap_touchpad)).reached

    @keyword
    def swipe_touchpad(self, x: float, y: float, to_x: float, to_y: float, **options: Any) -> str:
        """One finger from one point to another on the touchpad."""
        return self.rig.swipe_touchpad((x, y), (to_x, to_y), **_values(options, Rig.inject, Rig.swipe_touchpad)).reached

    # What goes wrong and what is told.

    @keyword
    def send_message(self, device: str, message: str, **fields: Any) -> None:
        """Has one side of a device's session send a message, with these fields. Whole numbers may be text."""
        self.rig.send(device, message, {name: _value(value, "bool") for name, value in fields.items()} or None)

    @keyword
    def set_fault(self, kind: str, **options: Any) -> str:
        """Sets a fault, and returns its id."""
        return self.rig.set_fault(kind, **_values(options, Rig.set_fault)).id

    @keyword
    def clear_faults(self, fault: str | None = None, device: str | None = None) -> list[str]:
        """Clears a fault, those of a device, or all."""
        return self.rig.clear_faults(fault, device=device)

    @keyword
    def mark(self, text: str) -> None:
        """Writes a line into the rig's timeline."""
        self.rig.mark(text)

    @keyword
    def run_scenario(self, file: str, within: str = "10min") -> None:
        """Runs a scenario file; fails with its timeline when it does not pass."""
        try:
            logger.info(str(self.rig.run(Path(file), within=within)))
        except ScenarioFailed as failure:
            raise AssertionError(str(failure)) from None

    @keyword
    def launch_app(self, name: str, acknowledges: bool = True, device: str | None = None) -> None:
        """Launches an app, which lives until the rig is closed or the app is."""
        self.close_app(name)
        self._apps[name] = self.rig.launch(name, device=device, acknowledges=acknowledges)

    @keyword
    def close_app(self, name: str) -> None:
        """Ends an app."""
        app = self._apps.pop(name, None)
        if app is not None:
            app.close()

    # Expectations.

    @keyword
    def expect(
        self, kind: str, within: str = "5s", device: str | None = None, where: str | None = None, app: str | None = None
    ) -> dict[str, Any]:
        """Waits for an event since the step above, and returns its record; with `app`, one that the app is told."""
        return self._expected(self._side(app).expect, kind, within=within, device=device, where=where)

    @keyword
    def expect_next(
        self, kind: str, within: str = "5s", device: str | None = None, where: str | None = None, app: str | None = None
    ) -> dict[str, Any]:
        """As `Expect`, but only after the event that met the expectation before."""
        return self._expected(self._side(app).then, kind, within=within, device=device, where=where)

    @keyword
    def expect_never(
        self, kind: str, within: str, device: str | None = None, where: str | None = None, app: str | None = None
    ) -> None:
        """Waits until the end of the time, and fails when such an event comes."""
        self._expected(self._side(app).expect_never, kind, within=within, device=device, where=where)

    @keyword
    def expect_exactly(
        self,
        count: int,
        kind: str,
        within: str,
        device: str | None = None,
        where: str | None = None,
        app: str | None = None,
    ) -> None:
        """Waits until the end of the time; then exactly so many such events have come."""
        self._expected(self._side(app).expect_exactly, count, kind, within=within, device=device, where=where)

    def _side(self, app: str | None) -> Rig | App:
        if app is None:
            return self.rig
        if app not in self._apps:
            raise RuntimeError(f"there is no app {app!r}; there is {', '.join(self._apps) or 'none'}")
        return self._apps[app]

    @staticmethod
    def _expected(expecting: Any, *arguments: Any, **options: Any) -> dict[str, Any]:
        try:
            found = expecting(*arguments, **options)
        except ExpectationFailed as failure:
            # Robot writes the name of any other error than this before the message.
            raise AssertionError(str(failure)) from None
        except DashrigError:
            raise
        return dict(found.raw) if isinstance(found, Event) else {}


def _values(options: dict[str, Any], *verbs: Callable[..., Any]) -> dict[str, Any]:
    """Options come as text, and become what the verb takes: text stays text where that is wanted."""
    wanted: dict[str, str] = {}
    for verb in verbs:
        for name, parameter in inspect.signature(verb).parameters.items():
            wanted[name] = str(parameter.annotation)
    return {name: _value(value, wanted.get(name, "Any")) for name, value in options.items()}


def _value(given: Any, wanted: str) -> Any:
    if not isinstance(given, str):
        return given
    kind = wanted.partition(" ")[0]
    if kind in ("bool", "Any") and given.lower() in ("true", "false"):
        return given.lower() == "true"
    readings: dict[str, tuple[type[int] | type[float], ...]] = {"int": (int,), "float": (float,), "Any": (int, float)}
    for reading in readings.get(kind, ()):
        try:
            return reading(given)
        except ValueError:
            continue
    return given

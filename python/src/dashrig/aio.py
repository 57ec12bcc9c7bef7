"""The rig for asyncio: AsyncRig, AsyncPhone and AsyncApp. `Rig`, `Phone` and `App` are the same without it."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from ._expect import Expecting, Window
from ._length import sequence_seconds
from ._streams import AsyncEvents, AsyncSubscription
from ._watch import Clock, Watch
from ._wire import RIG, Caller, Connection, socket_folder
from .app import AsyncApp
from .daemon import Daemon
from .duration import Duration, seconds
from .errors import ConnectionLost, DashrigError, ScenarioFailed, TimedOut, UnknownDevice
from .phone import AsyncPhone
from .records import (
    CycleResult,
    CycleSummary,
    Device,
    Display,
    Fault,
    FaultKind,
    HeadUnit,
    InputStep,
    Lease,
    Misorder,
    Profile,
    Refusal,
    State,
    TimelineEntry,
    Vehicle,
    Verdict,
)
from .results import CycleReport, FaultList, InjectReceipt, ProfileList, RunResult, SequenceReceipt
from .timeline import Timeline

Appearance = Literal["light", "dark"]
DriverSide = Literal["left", "right"]
Direction = Literal["toDevice", "fromDevice", "both"]
Nudge = Literal["up", "down", "left", "right", "upLeft", "upRight", "downLeft", "downRight"]
Surface = Literal["touchscreen", "touchpad", "knob", "keys"]
Gear = Literal["park", "reverse", "neutral", "drive"]
Side = Literal["phone", "headUnit"]
XY = tuple[float, float]


def _camel(name: str) -> str:
    """trust_after_milliseconds -> trustAfterMilliseconds."""
    return re.sub(r"_([a-z0-9])", lambda match: match.group(1).upper(), name)


def _given(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Without what was not given."""
    return {name: value for name, value in parameters.items() if value is not None}


def _pairs(field: str, texts: Mapping[str, object] | None) -> list[dict[str, str]] | None:
    """Names with their texts, as calls take them."""
    return None if texts is None else [{"name": name, field: str(text)} for name, text in texts.items()]


def _called(method: str, parameters: Mapping[str, Any]) -> str:
    words = [re.sub(r"(?<=[a-z])([A-Z])", r"_\1", method).lower()]
    for name, value in parameters.items():
        text = str(value)
        words.append(f"{name}={text if len(text) <= 80 else text[:77] + '...'}")
    return " ".join(words)


class AsyncRig(Expecting):
    """A connection to a rig's control socket. Use it as a context manager.

    `socket_dir` is the folder of the sockets: DASHRIG_SOCKET_DIR when it is not given, else /run/dashrig. `timeout`, in
    seconds, is for each answer. `history` is how many lines of the timeline are kept.

    Parameters of verbs have the names of the interface, in snake_case; what is not given stays as it is. Gestures and
    other records are mappings with the interface's own names.
    """

    def __init__(
        self, socket_dir: str | os.PathLike[str] | None = None, *, timeout: float = 10.0, history: int = 10_000
    ) -> None:
        self.socket_dir = socket_folder(socket_dir)
        self.timeout = timeout
        self.timeline = Timeline(history)
        #: The private daemon that `start` made, else None.
        self.daemon: Daemon | None = None
        self._caller = Caller(self.socket_dir / RIG, timeout)
        # What is held down, and a sequence, are there only as long as the connection over which that was said.
        self._holder = Caller(self.socket_dir / RIG, timeout, alone=True)
        self._sequencer = Caller(self.socket_dir / RIG, timeout, alone=True)
        self._clock = Clock()
        self._watch = Watch(self.socket_dir / RIG, f"{RIG}.Subscribe", {}, timeout, self.timeline, self._clock)
        self._window = Window()
        self._started = False
        self._closed = False

    @classmethod
    async def start(
        cls,
        *,
        binary: str | os.PathLike[str] | None = None,
        configuration: str | None = None,
        arguments: Sequence[str] = (),
        timeout: float = 10.0,
    ) -> Self:
        """A rig of one's own: a private dashrigd with its own socket and state folder, without hardware. It ends with
        `close`, at the end of the `with` block, and when this process ends, however that is.

        `binary` is found in DASHRIG_BIN_DIR and PATH when it is not given. `configuration` is the text of its INI file;
        `arguments` are further ones of its command line.
        """
        daemon = await asyncio.to_thread(Daemon.start, binary, configuration, arguments, timeout)
        rig = cls(daemon.socket_dir, timeout=timeout)
        rig.daemon = daemon
        try:
            return await rig.connect()
        except BaseException:
            await rig.close()
            raise

    async def connect(self) -> Self:
        """Connects and reads the whole state; `async with` does it."""
        self._closed = False
        if not self._started:
            await self._watch.start()
            self._started = True
            self._window.sequence = self._window.order = self._watch.begun
        return self

    async def close(self) -> None:
        """Closes the connections, and ends the private daemon where there is one. Devices stay plugged in."""
        self._started = False
        self._closed = True
        try:
            await self._watch.close()
            for caller in (self._caller, self._holder, self._sequencer):
                await caller.close()
        finally:
            if self.daemon is not None:
                await asyncio.to_thread(self.daemon.stop)

    async def __aenter__(self) -> Self:
        return await self.connect()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # The stream.

    def _check(self) -> None:
        if self._closed:
            raise ConnectionLost("the connection to the rig was closed here", sent=False)

    async def _ready(self) -> Watch:
        self._check()
        if not self._started:
            await self.connect()
        elif self._watch.failure is not None:
            epoch = self._watch.epoch
            await self._watch.resume()
            if self._watch.epoch != epoch:
                self._window = Window(self._watch.begun)
        return self._watch

    async def _catch_up(self) -> None:
        sequence = (await self.state()).sequence
        limit = self._clock.now() + int(self.timeout * 1e9)
        while self.timeline.sequence < sequence:
            left = limit - self._clock.now()
            if left <= 0:
                raise TimedOut(f"the rig's stream is behind: it is not at event {sequence} after {self.timeout:g} s")
            await self._watch.changed(left / 1e9)

    async def _open_window(self) -> None:
        await self._ready()
        if not self._window.acting:
            self._window.open((await self.state()).sequence)

    async def new_window(self) -> None:
        """Expectations below look only at what comes from here on. Every verb that asks the rig for something opens a
        window by itself; this is for what happens outside of the rig."""
        self._window.acting = False
        await self._open_window()

    # Calls.

    async def call(self, /, method: str, *, timeout: float | None = None, **parameters: Any) -> dict[str, Any]:
        """Calls a method of org.dashrig.Rig by its own name and parameters; None is not sent. For what has no verb."""
        self._check()
        return await self._caller.call(f"{RIG}.{method}", _given(parameters), timeout=timeout)

    async def stream(self, /, method: str, **parameters: Any) -> AsyncIterator[dict[str, Any]]:
        """The answers to a method that answers more than once, on a connection of its own."""
        connection = await Connection.open(self.socket_dir / RIG, self.timeout)
        try:
            async for reply in connection.stream(f"{RIG}.{method}", _given(parameters), self.timeout):
                yield reply
        finally:
            connection.abort()

    async def _ask(self, /, method: str, timeout: float | None = None, **parameters: Any) -> dict[str, Any]:
        """A call that only reads: it may be repeated."""
        self._check()
        return await self._caller.call(f"{RIG}.{method}", _given(parameters), timeout=timeout, repeatable=True)

    async def _act(
        self,
        method: str,
        parameters: Mapping[str, Any],
        timeout: float | None = None,
        caller: Caller | None = None,
    ) -> dict[str, Any]:
        """A call that changes something: it opens a window, and is in the timeline."""
        await self._open_window()
        given = _given(parameters)
        self.timeline.note(self._clock.now(), _called(method, given))
        try:
            return await (caller or self._caller).call(f"{RIG}.{method}", given, timeout=timeout)
        except DashrigError as failure:
            self.timeline.note(self._clock.now(), f"  {method}: {failure.reason}")
            raise

    # What there is.

    async def state(self) -> State:
        """The whole state at once."""
        return State((await self._ask("GetState"))["state"])

    async def device(self, name: str) -> Device:
        """A device by its name; UnknownDevice when there is none."""
        devices = (await self.state()).devices
        for device in devices:
            if device.id == name:
                return device
        known = [device.id for device in devices]
        raise UnknownDevice(
            f"there is no device {name!r}; there is {', '.join(known) or 'none'}",
            error=f"{RIG}.UnknownDevice",
            parameters={"id": name, "known": known},
        )

    async def list_profiles(self) -> ProfileList:
        """The virtual devices and the head units there are."""
        reply = await self._ask("ListProfiles")
        return ProfileList([Profile(one) for one in reply["profiles"]], [HeadUnit(one) for one in reply["headUnits"]])

    async def list_faults(self, device: str | None = None) -> FaultList:
        """The faults that are set, of one device or of all, and what can be set."""
        reply = await self._ask("ListFaults", device=device)
        kinds = [FaultKind(one) for one in reply["kinds"]]
        return FaultList([Fault(one) for one in reply["faults"]], kinds, list(reply["at"]), list(reply["since"]))

    def subscribe(self, kinds: Iterable[str] | None = None, devices: Iterable[str] | None = None) -> AsyncSubscription:
        """A subscription on a connection of its own: the whole state in parts, then every change. Enter it first."""
        return AsyncSubscription(self.socket_dir, kinds, devices, self.timeout)

    def events(
        self,
        kinds: Iterable[str] | None = None,
        devices: Iterable[str] | None = None,
        within: Duration | None = None,
    ) -> AsyncEvents:
        """The events from the moment on at which it is entered, on a connection of their own. With `within`, the
        iteration ends that long after it began. When the rig goes away it ends with ConnectionLost."""
        return AsyncEvents(self.socket_dir, kinds, devices, self.timeout, within)

    # Cable.

    async def plug(
        self,
        profile: str = "iphone",
        name: str | None = None,
        *,
        serial: str | None = None,
        displays: str | None = None,
        locked: bool | None = None,
        trusted: bool | None = None,
        trust_after_milliseconds: int | None = None,
        slow_milliseconds: int | None = None,
        delays: Mapping[str, int] | None = None,
        refuse: Refusal | None = None,
        misorder: Misorder | None = None,
        car_play: bool | None = None,
        identification_first: bool | None = None,
        link_version: int | None = None,
    ) -> Device:
        """Plugs in a virtual device. A name that was there before and is unplugged returns with the next generation."""
        reply = await self._act(
            "Plug",
            {
                "profile": profile,
                "name": name,
                "serial": serial,
                "displays": displays,
                "locked": locked,
                "trusted": trusted,
                "trustAfterMilliseconds": trust_after_milliseconds,
                "slowMilliseconds": slow_milliseconds,
                "delays": delays,
                "refuse": refuse,
                "misorder": misorder,
                "carPlay": car_play,
                "identificationFirst": identification_first,
                "linkVersion": link_version,
            },
        )
        return Device(reply["device"])

    async def unplug(self, device: str, *, surprise: bool | None = None, generation: int | None = None) -> None:
        """Pulls a virtual device: with a goodbye, or by surprise."""
        await self._act("Unplug", {"device": device, "surprise": surprise, "generation": generation})

    async def set_phone(
        self,
        device: str,
        *,
        generation: int | None = None,
        locked: bool | None = None,
        trusted: bool | None = None,
        trust_after_milliseconds: int | None = None,
        slow_milliseconds: int | None = None,
        delays: Mapping[str, int] | None = None,
        refuse: Refusal | None = None,
        misorder: Misorder | None = None,
        car_play: bool | None = None,
    ) -> None:
        """Locks, unlocks, trusts or slows down a phone, switches its CarPlay, or makes it refuse or misorder a step."""
        await self._act(
            "SetPhone",
            {
                "device": device,
                "generation": generation,
                "locked": locked,
                "trusted": trusted,
                "trustAfterMilliseconds": trust_after_milliseconds,
                "slowMilliseconds": slow_milliseconds,
                "delays": delays,
                "refuse": refuse,
                "misorder": misorder,
                "carPlay": car_play,
            },
        )

    async def retry(self, device: str, *, generation: int | None = None) -> None:
        """Tries a handshake that failed again at once."""
        await self._act("Retry", {"device": device, "generation": generation})

    async def start_accessory(self, device: str, *, generation: int | None = None) -> None:
        """Brings an Android phone into accessory mode."""
        await self._act("StartAccessory", {"device": device, "generation": generation})

    async def switch_role(self, device: str, *, generation: int | None = None, car_play: bool | None = None) -> None:
        """Makes an Apple phone the USB host."""
        await self._act("SwitchRole", {"device": device, "generation": generation, "carPlay": car_play})

    async def set_front(self, device: str) -> None:
        """Puts a device's session in front."""
        await self._act("SetFront", {"device": device})

    # Displays and the vehicle.

    async def set_display(
        self,
        display: str,
        *,
        view_area: int | None = None,
        safe_area: Mapping[str, int] | None = None,
        width: int | None = None,
        height: int | None = None,
        scale: float | None = None,
        frames_per_second: int | None = None,
        appearance: Appearance | None = None,
        driver_side: DriverSide | None = None,
        limit_keyboard: bool | None = None,
        limit_lists: bool | None = None,
        primary_input: Surface | None = None,
    ) -> Display:
        """Changes a display: an id, or the name of one of the front session."""
        reply = await self._act(
            "SetDisplay",
            {
                "display": display,
                "viewArea": view_area,
                "safeArea": safe_area,
                "width": width,
                "height": height,
                "scale": scale,
                "framesPerSecond": frames_per_second,
                "appearance": appearance,
                "driverSide": driver_side,
                "limitKeyboard": limit_keyboard,
                "limitLists": limit_lists,
                "primaryInput": primary_input,
            },
        )
        return Display(reply["display"])

    async def set_vehicle(
        self,
        /,
        *,
        appearance: Appearance | None = None,
        driver_side: DriverSide | None = None,
        limit_keyboard: bool | None = None,
        limit_lists: bool | None = None,
        speed: float | None = None,
        gear: Gear | None = None,
        parking_brake: bool | None = None,
        ambient_light: float | None = None,
        location: Mapping[str, float] | None = None,
        battery: float | None = None,
        fuel: float | None = None,
        range: float | None = None,
        range_low: bool | None = None,
        unknown: Sequence[str] | None = None,
        automatic: Sequence[str] | None = None,
        track: str | None = None,
        stop_track: bool | None = None,
        **more: Any,
    ) -> Vehicle:
        """Changes the vehicle; the displays that the rig declared follow. Units and ranges are those of the record
        Vehicle. `unknown` names measures that are not known from now on; `automatic` (appearance, keyboard, lists)
        hands back to the head unit's rules what was said here. What this package does not know goes by its name too,
        in snake_case: the rig refuses what it does not know either."""
        known = {
            "appearance": appearance,
            "driverSide": driver_side,
            "limitKeyboard": limit_keyboard,
            "limitLists": limit_lists,
            "speed": speed,
            "gear": gear,
            "parkingBrake": parking_brake,
            "ambientLight": ambient_light,
            "location": location,
            "battery": battery,
            "fuel": fuel,
            "range": range,
            "rangeLow": range_low,
            "unknown": unknown,
            "automatic": automatic,
            "track": track,
            "stopTrack": stop_track,
        }
        reply = await self._act("SetVehicle", known | {_camel(name): value for name, value in more.items()})
        return Vehicle(reply["vehicle"])

    # Input.

    async def inject(
        self,
        /,
        *,
        knob: Mapping[str, Any] | None = None,
        touch: Mapping[str, Any] | None = None,
        touchpad: Mapping[str, Any] | None = None,
        key: Mapping[str, Any] | None = None,
        device: str | None = None,
        generation: int | None = None,
        display: str | None = None,
        tag: str | None = None,
        wait: InputStep | None = None,
        within_milliseconds: int | None = None,
        **more: Any,
    ) -> InjectReceipt:
        """Injects one gesture or one part of one, as the interface describes it; the short forms are below. With `wait`
        it answers when the input was delivered or read, or after within_milliseconds with what was reached:
        `receipt.reached`. What goes down with `down` true or a finger that `began` stays down until a later call lifts
        it, or until this rig is closed."""
        known = {
            "knob": knob,
            "touch": touch,
            "touchpad": touchpad,
            "key": key,
            "device": device,
            "generation": generation,
            "display": display,
            "tag": tag,
            "wait": wait,
            "withinMilliseconds": within_milliseconds,
        }
        longest = self.timeout + (1000 if within_milliseconds is None else within_milliseconds) / 1000
        parameters = known | {_camel(name): value for name, value in more.items()}
        holds = any(gesture is not None and _holds(gesture) for gesture in (knob, touch, touchpad, key))
        caller = self._holder if holds else self._caller
        return InjectReceipt(await self._act("Inject", parameters, timeout=longest, caller=caller))

    async def inject_sequence(
        self,
        /,
        steps: Sequence[Mapping[str, Any]],
        *,
        device: str | None = None,
        generation: int | None = None,
        display: str | None = None,
        tag: str | None = None,
        wait: InputStep | None = None,
        within_milliseconds: int | None = None,
        **more: Any,
    ) -> SequenceReceipt:
        """Injects inputs at their times: each step has `at`, milliseconds after the beginning, and one gesture. It is
        taken whole or refused whole, and ends when this rig is closed. With `wait` it answers when all of it came so
        far."""
        known = {
            "steps": [dict(step) for step in steps],
            "device": device,
            "generation": generation,
            "display": display,
            "tag": tag,
            "wait": wait,
            "withinMilliseconds": within_milliseconds,
        }
        within = 1000 if within_milliseconds is None else within_milliseconds
        longest = self.timeout + sequence_seconds(steps) + within / 1000
        parameters = known | {_camel(name): value for name, value in more.items()}
        # It ends with its connection: it has one that stays.
        return SequenceReceipt(await self._act("InjectSequence", parameters, timeout=longest, caller=self._sequencer))

    async def rotate_knob(
        self,
        /,
        detents: int,
        *,
        interval_milliseconds: int | None = None,
        duration_milliseconds: int | None = None,
        **target: Any,
    ) -> InjectReceipt:
        """Turns the knob; positive is clockwise. `target` as in `inject`: device, display, tag, wait, …"""
        gesture = {
            "detents": detents,
            "intervalMilliseconds": interval_milliseconds,
            "durationMilliseconds": duration_milliseconds,
        }
        return await self.inject(knob=_given(gesture), **target)

    async def press_knob(
        self, /, *, hold_milliseconds: int | None = None, down: bool | None = None, **target: Any
    ) -> InjectReceipt:
        """Pushes the knob, 80 ms when nothing is said. With `down` true it stays down, with false it is let go."""
        gesture = {"press": True, "holdMilliseconds": hold_milliseconds, "down": down}
        return await self.inject(knob=_given(gesture), **target)

    async def nudge_knob(
        self, /, direction: Nudge, *, hold_milliseconds: int | None = None, down: bool | None = None, **target: Any
    ) -> InjectReceipt:
        """Pushes the knob sideways; `down` as in `press_knob`."""
        gesture = {"nudge": direction, "holdMilliseconds": hold_milliseconds, "down": down}
        return await self.inject(knob=_given(gesture), **target)

    async def press_key(
        self, /, key: str, *, hold_milliseconds: int | None = None, down: bool | None = None, **target: Any
    ) -> InjectReceipt:
        """Presses a key: home, back, voice, play, … as KeyChange lists them; `down` as in `press_knob`."""
        gesture = {"key": key, "holdMilliseconds": hold_milliseconds, "down": down}
        return await self.inject(key=_given(gesture), **target)

    async def tap(self, /, x: float, y: float, **target: Any) -> InjectReceipt:
        """Taps a display, in its pixels from its top left."""
        return await self.inject(touch=_paths([[(x, y)]]), **target)

    async def swipe(
        self, /, *points: XY, duration_milliseconds: int | None = None, velocity: float | None = None, **target: Any
    ) -> InjectReceipt:
        """One finger from point to point on a display, in a time or with a velocity in pixels per second."""
        return await self.inject(touch=_paths([points], duration_milliseconds, velocity), **target)

    async def flick(self, /, start: XY, end: XY, *, velocity: float | None = None, **target: Any) -> InjectReceipt:
        """One finger from one point to another on a display, ever faster, and lifted at its fastest."""
        return await self.inject(touch=_paths([(start, end)], None, velocity) | {"flick": True}, **target)

    async def touch(
        self,
        /,
        *paths: Sequence[XY],
        duration_milliseconds: int | None = None,
        velocity: float | None = None,
        **target: Any,
    ) -> InjectReceipt:
        """A finger for each path on a display, all at once."""
        return await self.inject(touch=_paths(paths, duration_milliseconds, velocity), **target)

    async def tap_touchpad(self, /, x: float, y: float, **target: Any) -> InjectReceipt:
        """Taps the touchpad, in percent of its width and height."""
        return await self.inject(touchpad=_paths([[(x, y)]]), **target)

    async def swipe_touchpad(
        self, /, *points: XY, duration_milliseconds: int | None = None, velocity: float | None = None, **target: Any
    ) -> InjectReceipt:
        """One finger from point to point on the touchpad, in a time or with a velocity in percent per second."""
        return await self.inject(touchpad=_paths([points], duration_milliseconds, velocity), **target)

    async def touch_touchpad(
        self,
        /,
        *paths: Sequence[XY],
        duration_milliseconds: int | None = None,
        velocity: float | None = None,
        **target: Any,
    ) -> InjectReceipt:
        """A finger for each path on the touchpad, all at once."""
        return await self.inject(touchpad=_paths(paths, duration_milliseconds, velocity), **target)

    # What goes wrong and what is told.

    async def send(
        self,
        device: str,
        message: str,
        fields: Mapping[str, Any] | None = None,
        *,
        sender: Side | None = None,
        generation: int | None = None,
    ) -> None:
        """Has one side of a device's active session send a message of the control session."""
        await self._act(
            "Send",
            {"device": device, "generation": generation, "message": message, "fields": fields, "sender": sender},
        )

    async def set_fault(
        self,
        kind: str,
        *,
        device: str | None = None,
        generation: int | None = None,
        direction: Direction | None = None,
        at: str | None = None,
        since: str | None = None,
        after: int | None = None,
        count: int | None = None,
        always: bool | None = None,
        duration_milliseconds: int | None = None,
        keep: bool | None = None,
    ) -> Fault:
        """Sets a fault: a disturbance of a device's link. `list_faults` tells the kinds and places."""
        reply = await self._act(
            "SetFault",
            {
                "kind": kind,
                "device": device,
                "generation": generation,
                "direction": direction,
                "at": at,
                "since": since,
                "after": after,
                "count": count,
                "always": always,
                "durationMilliseconds": duration_milliseconds,
                "keep": keep,
            },
        )
        return Fault(reply["fault"])

    async def clear_faults(self, fault: str | None = None, *, device: str | None = None) -> list[str]:
        """Clears a fault by its id, or those of a device, or all of them; returns the ids of those that were."""
        return list((await self._act("ClearFaults", {"fault": fault, "device": device}))["cleared"])

    async def mark(self, text: str) -> None:
        """Writes a line of at most 1024 bytes into the rig's timeline."""
        await self._act("Mark", {"text": text})

    async def run(
        self,
        /,
        scenario: str | os.PathLike[str],
        *,
        name: str | None = None,
        within: Duration = 600.0,
        check: bool = True,
        tracks: Mapping[str, str] | None = None,
        includes: Mapping[str, str] | None = None,
        values: Mapping[str, object] | None = None,
        **more: Any,
    ) -> RunResult:
        """Runs a scenario: its text, or the path of a file (`pathlib.Path`). `tracks` are the texts of the tracks that
        its steps play, by their names there, `includes` those of the files that it includes, `values` those of its
        parameters; `more` goes with the call: `seed`, and the `row` of a table.

        Raises ScenarioFailed, with its timeline, when it does not pass, unless `check` is false; ScenarioWrong when it
        cannot be run; TimedOut, which stops it, after `within`.
        """
        limit = seconds(within)
        if isinstance(scenario, os.PathLike):
            path = Path(scenario)
            text, name = await asyncio.to_thread(path.read_text), name or path.name
        else:
            text = scenario
        await self._open_window()
        self.timeline.note(self._clock.now(), f"run {name or 'a scenario'}")
        entries: list[TimelineEntry] = []
        verdict: Verdict | None = None
        connection = await Connection.open(self.socket_dir / RIG, self.timeout)
        try:
            async with asyncio.timeout(limit):
                known = {
                    "scenario": text,
                    "name": name,
                    "tracks": _pairs("text", tracks),
                    "includes": _pairs("text", includes),
                    "values": _pairs("value", values),
                }
                parameters = _given(known | {_camel(name): value for name, value in more.items()})
                async for reply in connection.stream(f"{RIG}.Run", parameters, max(limit, self.timeout)):
                    if reply.get("entry") is not None:
                        entries.append(TimelineEntry(reply["entry"]))
                    if reply.get("verdict") is not None:
                        verdict = Verdict(reply["verdict"])
        except TimeoutError:
            raise TimedOut(f"the scenario {name or ''} was not over within {limit:g} s and was stopped") from None
        finally:
            connection.abort()
            # What comes next is another step: it does not look at what the scenario did.
            self._window.acting = False
        if verdict is None:
            raise ConnectionLost("the scenario ended without a verdict")
        result = RunResult(verdict, entries)
        if check and not result.passed:
            raise ScenarioFailed(f"the scenario {verdict.name} {verdict.outcome}", str(result), verdict.outcome)
        return result

    async def cycle(
        self,
        profile: str,
        *,
        count: int,
        name: str | None = None,
        serial: str | None = None,
        displays: str | None = None,
        slow_milliseconds: int | None = None,
        first: int | None = None,
        unplug_at: str | None = None,
        interval_milliseconds: int | None = None,
        hold_milliseconds: int | None = None,
        ready_within_milliseconds: int | None = None,
        seed: int | None = None,
        wait_milliseconds: int | None = None,
        within: Duration = 3600.0,
    ) -> CycleReport:
        """Plugs a virtual device in and pulls it, `count` times. With `unplug_at`, a step of the handshake or `random`,
        it is pulled there first and then plugged in again. Raises TimedOut, which stops it, after `within`."""
        limit = seconds(within)
        await self._open_window()
        self.timeline.note(self._clock.now(), f"cycle {name or profile} {count} times")
        cycles: list[CycleResult] = []
        summary: CycleSummary | None = None
        connection = await Connection.open(self.socket_dir / RIG, self.timeout)
        parameters = _given(
            {
                "profile": profile,
                "name": name,
                "serial": serial,
                "displays": displays,
                "slowMilliseconds": slow_milliseconds,
                "count": count,
                "first": first,
                "unplugAt": unplug_at,
                "intervalMilliseconds": interval_milliseconds,
                "holdMilliseconds": hold_milliseconds,
                "readyWithinMilliseconds": ready_within_milliseconds,
                "seed": seed,
                "waitMilliseconds": wait_milliseconds,
            }
        )
        try:
            async with asyncio.timeout(limit):
                async for reply in connection.stream(f"{RIG}.Cycle", parameters, max(limit, self.timeout)):
                    if reply.get("cycle") is not None:
                        cycles.append(CycleResult(reply["cycle"]))
                    if reply.get("summary") is not None:
                        summary = CycleSummary(reply["summary"])
        except TimeoutError:
            raise TimedOut(f"{len(cycles)} of {count} cycles were over within {limit:g} s; it was stopped") from None
        finally:
            connection.abort()
            self._window.acting = False
        if summary is None:
            raise ConnectionLost("the cycles ended without a summary")
        return CycleReport(cycles, summary)

    async def list_leases(self) -> list[Lease]:
        """What runs hold for themselves, or wait for, oldest first."""
        return [Lease(one) for one in (await self._ask("ListLeases"))["leases"]]

    async def unlease(self, lease: str, *, force: bool = False) -> None:
        """Takes from a run what it holds, which ends it. Without `force` it raises Busy, which says whose it is."""
        await self._act("Unlease", {"lease": lease, "force": force})

    # Who is there.

    def phone(self, name: str = "phone") -> AsyncPhone:
        """A handle on the phone of that name, which need not be plugged in yet."""
        return AsyncPhone(self, name)

    async def launch(
        self, name: str, *, bundle: str | None = None, device: str | None = None, acknowledges: bool = False
    ) -> AsyncApp:
        """Declares an app, which lives until it is closed. Its expectations share this rig's window. With
        `acknowledges` it says at once of everything that it was told that it has read it."""
        await self._open_window()
        self.timeline.note(self._clock.now(), _called("launch", _given({"name": name, "device": device})))
        app = AsyncApp(
            name,
            bundle=bundle,
            device=device,
            acknowledges=acknowledges,
            socket_dir=self.socket_dir,
            timeout=self.timeout,
            window=self._window,
        )
        return await app.launch()


def _paths(paths: Iterable[Sequence[XY]], duration: int | None = None, velocity: float | None = None) -> dict[str, Any]:
    contacts = [{"points": [{"x": x, "y": y} for x, y in path]} for path in paths]
    return _given({"contacts": contacts, "durationMilliseconds": duration, "velocity": velocity})


def _holds(gesture: Mapping[str, Any]) -> bool:
    """Whether it is a part of a gesture, which belongs to the connection that it comes over."""
    return "down" in gesture or "frame" in gesture

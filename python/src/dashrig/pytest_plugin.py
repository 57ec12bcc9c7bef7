"""Fixtures for pytest: `rig`, `phone` and `app`. A test that fails shows the rig's timeline.

`rig` is a private daemon for each test, or, with --dashrig-socket-dir, a running rig that is tidied up after each.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from .errors import DashrigError
from .records import Vehicle
from .sync import App, Phone, Rig

_RIG = pytest.StashKey[Rig]()

_MARKERS = (
    "dashrig_rig(configuration=None, arguments=()): how the private daemon of the fixture rig is started",
    "dashrig_phone(profile='iphone', name='phone', active=True, **options): what the fixture phone plugs in, and"
    " whether it waits for the active session",
    "dashrig_app(name='app', **options): the app that the fixture app launches",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("dashrig")
    group.addoption(
        "--dashrig-socket-dir",
        metavar="DIR",
        help="use the rig that runs there, in place of a private one for each test",
    )
    group.addoption("--dashrig-binary", metavar="FILE", help="the dashrigd to start (DASHRIG_BIN_DIR, else PATH)")


def pytest_configure(config: pytest.Config) -> None:
    for marker in _MARKERS:
        config.addinivalue_line("markers", marker)


def _options(request: pytest.FixtureRequest, marker: str) -> dict[str, Any]:
    found = request.node.get_closest_marker(marker)
    if found is None:
        return {}
    if found.args:
        raise pytest.UsageError(f"{marker} takes its arguments by name: {', '.join(map(repr, found.args))}")
    return dict(found.kwargs)


@pytest.fixture
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """A rig: a private daemon, without hardware; or that of --dashrig-socket-dir."""
    folder = request.config.getoption("--dashrig-socket-dir")
    options = _options(request, "dashrig_rig")
    if folder is not None:
        if options:
            pytest.skip("this test needs a rig that is started its own way")
        with Rig(folder) as shared:
            request.node.stash[_RIG] = shared
            yield from _tidied(shared)
        return
    with Rig.start(binary=request.config.getoption("--dashrig-binary"), **options) as private:
        request.node.stash[_RIG] = private
        yield private


def _tidied(rig: Rig) -> Iterator[Rig]:
    """What the test leaves in a rig that others use too is taken away: virtual devices, faults, the vehicle's state."""
    before = rig.state()
    devices = {device.id for device in before.devices if device.state != "detached"}
    faults = {fault.id for fault in rig.list_faults().faults}
    yield rig
    for fault in rig.list_faults().faults:
        if fault.id not in faults:
            rig.clear_faults(fault.id)
    after = rig.state()
    for device in after.devices:
        if device.id not in devices and device.port == "virtual" and device.state != "detached":
            rig.unplug(device.id)
    if back := _way_back(before.vehicle, after.vehicle):
        rig.call("SetVehicle", **back)


#: What of a vehicle may be unknown.
_MEASURES = (
    "speed",
    "gear",
    "parkingBrake",
    "ambientLight",
    "location",
    "battery",
    "fuel",
    "range",
    "rangeLow",
)


def _way_back(was: Vehicle, now: Vehicle) -> dict[str, Any]:
    """What SetVehicle has to be told for the vehicle to be as it was: what the head unit's rules decided is theirs
    again, what was not known is not known again, and a track that the test began ends."""
    automatic = [name for name in was.raw.get("automatic", []) if name not in now.raw.get("automatic", [])]
    limits, limited = was.limited_ui, now.limited_ui
    decided = {
        "appearance": ("appearance", was.appearance, now.appearance),
        "driverSide": ("", was.driver_side, now.driver_side),
        "limitKeyboard": ("keyboard", limits.keyboard, limited.keyboard),
        "limitLists": ("lists", limits.lists, limited.lists),
    }
    back: dict[str, Any] = {
        name: old for name, (rule, old, new) in decided.items() if old != new and rule not in automatic
    }
    changed = [name for name in _MEASURES if was.raw.get(name) != now.raw.get(name)]
    back |= {name: was.raw[name] for name in changed if was.raw.get(name) is not None}
    if unknown := [name for name in changed if was.raw.get(name) is None]:
        back["unknown"] = unknown
    if automatic:
        back["automatic"] = automatic
    if now.raw.get("track") is not None and was.raw.get("track") is None:
        back["stopTrack"] = True
    return back


@pytest.fixture
def phone(rig: Rig, request: pytest.FixtureRequest) -> Phone:
    """A phone that is plugged in, with an active session unless the marker dashrig_phone says otherwise."""
    options = _options(request, "dashrig_phone")
    active = options.pop("active", not (options.get("locked") or options.get("trusted") is False))
    handle = rig.phone(options.pop("name", "phone"))
    handle.plug(**options)
    if active:
        handle.expect("session.active")
    return handle


@pytest.fixture
def app(rig: Rig, request: pytest.FixtureRequest) -> Iterator[App]:
    """An app that has read at once whatever it is told, unless the marker dashrig_app says otherwise."""
    options: dict[str, Any] = {"name": "app", "acknowledges": True} | _options(request, "dashrig_app")
    with rig.launch(options.pop("name"), **options) as launched:
        yield launched


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    used = item.stash.get(_RIG, None)
    if used is None:
        # A project's own fixture of that name, as with labgrid.
        own = getattr(item, "funcargs", {}).get("rig")
        used = own if isinstance(own, Rig) else None
    if report.failed and used is not None:
        try:
            report.sections.append(("dashrig timeline, in seconds", used.timeline.render()))
            if used.daemon is not None and (log := used.daemon.log):
                report.sections.append(("dashrigd log", log))
        except DashrigError as failure:  # A report is worth more than its ornament.
            report.sections.append(("dashrig timeline", str(failure)))
    return report

"""Dashrig for test writers: phones, knobs, displays and expectations on one timeline.

    from dashrig import Rig

    with Rig.start() as rig:
        rig.plug("iphone", "phone")
        rig.expect("session.active", device="phone", within="1s")

`Rig`, `Phone` and `App` are for plain code, `AsyncRig`, `AsyncPhone` and `AsyncApp` for asyncio.
"""

from .aio import AsyncRig
from .app import AsyncApp
from .daemon import Daemon
from .duration import Duration
from .errors import (
    Busy,
    CallError,
    ConnectionFailed,
    ConnectionLost,
    DashrigError,
    DeviceRefused,
    ExpectationFailed,
    InvalidExpectation,
    InvalidParameter,
    LimitReached,
    MethodMissing,
    NotPermitted,
    NotRunning,
    ProtocolViolation,
    RuleBroken,
    ScenarioFailed,
    ScenarioWrong,
    SocketNotPermitted,
    StaleDevice,
    StartFailed,
    SubscriberTooSlow,
    TimedOut,
    UnknownApp,
    UnknownDevice,
    WrongPath,
)
from .phone import AsyncPhone
from .records import KINDS, METHODS, Device, Display, Event, Fault, State, Vehicle, Verdict
from .results import CycleReport, InjectReceipt, RunResult, Update
from .sync import App, Phone, Rig
from .timeline import Timeline

__version__ = "0.1.0"

__all__ = [
    "KINDS",
    "METHODS",
    "App",
    "AsyncApp",
    "AsyncPhone",
    "AsyncRig",
    "Busy",
    "CallError",
    "ConnectionFailed",
    "ConnectionLost",
    "CycleReport",
    "Daemon",
    "DashrigError",
    "Device",
    "DeviceRefused",
    "Display",
    "Duration",
    "Event",
    "ExpectationFailed",
    "Fault",
    "InjectReceipt",
    "InvalidExpectation",
    "InvalidParameter",
    "LimitReached",
    "MethodMissing",
    "NotPermitted",
    "NotRunning",
    "Phone",
    "ProtocolViolation",
    "Rig",
    "RuleBroken",
    "RunResult",
    "ScenarioFailed",
    "ScenarioWrong",
    "SocketNotPermitted",
    "StaleDevice",
    "StartFailed",
    "State",
    "SubscriberTooSlow",
    "TimedOut",
    "Timeline",
    "UnknownApp",
    "UnknownDevice",
    "Update",
    "Vehicle",
    "Verdict",
    "WrongPath",
]

"""What can go wrong, by name: each error says whose fault it is, what happened and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

_PARTIES = {"local": "the rig", "peer": "the link's other end", "device": "the device", "client": "the caller"}


class DashrigError(Exception):
    """Base of all errors of this package.

    `error` is stable: the full name of the error that the rig answered (`org.dashrig.Rig.UnknownDevice`), or one of
    this package's own, those of `dashrig --json`. `reason` says what happened and `advice` what to do, for people.
    `party` says whose fault it is: `local` (the rig), `peer` (the other end of a link), `device` (the device or its
    cable) or `client` (the program that called, or its user); `unknown` where an expectation failed, for that is what
    a test is to find out. `parameters` are those of the error as they came.
    """

    error: str = "dashrig"
    party: str = "client"
    advice: str = ""

    def __init__(
        self,
        reason: str,
        *,
        error: str | None = None,
        party: str | None = None,
        advice: str | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.parameters: dict[str, Any] = dict(parameters or {})
        if error is not None:
            self.error = error
        if party is not None:
            self.party = party
        if advice is not None:
            self.advice = advice

    def __str__(self) -> str:
        advice = f"; {self.advice}" if self.advice else ""
        return f"{self.reason} [{self.error}, fault of {_PARTIES.get(self.party, self.party)}{advice}]"


# What the rig cannot be reached for.


class ConnectionFailed(DashrigError):
    """The rig could not be reached, or went away."""

    party = "local"


class NotRunning(ConnectionFailed):
    """Nobody listens on the socket."""

    error = "notRunning"
    advice = "start dashrigd, or name its socket folder with DASHRIG_SOCKET_DIR"


class SocketNotPermitted(ConnectionFailed):
    """This user may not use the socket."""

    error = "notPermitted"
    party = "client"
    advice = "join the group dashrig (control) or dashrig-app (apps)"


class WrongPath(ConnectionFailed):
    """The path cannot be that of a socket."""

    error = "wrongPath"
    party = "client"
    advice = "name a shorter socket folder that exists"


class TimedOut(ConnectionFailed):
    """No answer in time. What was asked may still have been done."""

    error = "timedOut"
    advice = "see the daemon's log; give the call more time with timeout="


class ConnectionLost(ConnectionFailed):
    """The rig closed the connection before it answered. What was asked may have been done: `sent` says whether it was
    sent at all."""

    error = "closed"
    advice = "see the daemon's log; read the state before you try again"

    def __init__(self, reason: str, *, sent: bool = True) -> None:
        super().__init__(reason)
        self.sent = sent


class ProtocolViolation(ConnectionFailed):
    """What answers is not a rig that this package knows."""

    error = "protocolViolation"
    advice = "use the package that came with the daemon"


class StartFailed(DashrigError):
    """A private daemon could not be started."""

    error = "startFailed"
    party = "local"


# What the rig answered.


class CallError(DashrigError):
    """The rig answered an error. Those that have a class of their own are below; others are of this one."""

    names: ClassVar[tuple[str, ...]] = ()


class UnknownDevice(CallError):
    """There is no device of that name; `known` are the names there are."""

    names = ("UnknownDevice",)
    advice = "plug it in first, or use one of the names that there are"

    @property
    def id(self) -> str:
        return str(self.parameters.get("id", ""))

    @property
    def known(self) -> list[str]:
        return [str(name) for name in self.parameters.get("known", [])]


class StaleDevice(CallError):
    """The device has another generation now, or is unplugged."""

    names = ("StaleDevice",)
    advice = "read the state again"

    @property
    def id(self) -> str:
        return str(self.parameters.get("id", ""))

    @property
    def generation(self) -> int:
        return int(self.parameters.get("generation", 0))


class NotPermitted(CallError):
    """The caller may not do this."""

    names = ("NotPermitted", "PermissionDenied")
    advice = "ask as a user of the group that may"


class LimitReached(CallError):
    """A limit is reached: its name in the configuration and its value."""

    names = ("LimitReached",)
    advice = "let something go, or raise the limit in the configuration"

    @property
    def limit(self) -> str:
        return str(self.parameters.get("limit", ""))

    @property
    def value(self) -> int:
        return int(self.parameters.get("value", 0))


class Busy(CallError):
    """Somebody else holds it."""

    names = ("Busy",)
    advice = "wait until its owner lets it go"

    @property
    def owner(self) -> str:
        return str(self.parameters.get("owner", ""))

    @property
    def since(self) -> int:
        """Nanoseconds, as an event's time."""
        return int(self.parameters.get("since", 0))


class DeviceRefused(CallError):
    """The device refused what it was asked, or did not answer."""

    names = ("DeviceRefused",)
    party = "device"
    advice = "look at the device, or plug it in again"


class RuleBroken(CallError):
    """A rule of the simulated system is broken."""

    names = ("RuleBroken",)
    advice = "do as the rule says"

    @property
    def rule(self) -> str:
        return str(self.parameters.get("rule", ""))

    @property
    def confidence(self) -> str:
        return str(self.parameters.get("confidence", ""))


class ScenarioWrong(CallError):
    """The scenario cannot be run; `problems` say where its text is wrong, and why."""

    names = ("ScenarioWrong",)
    advice = "mend the scenario's text"

    @property
    def problems(self) -> list[str]:
        return [str(problem) for problem in self.parameters.get("problems", [])]

    def __str__(self) -> str:
        missing = [problem for problem in self.problems if problem not in self.reason]
        return "\n".join([self.reason, *missing])


class SubscriberTooSlow(CallError):
    """The last reply of a stream whose client did not read."""

    names = ("SubscriberTooSlow",)
    advice = "read faster, or subscribe to less"


class UnknownApp(CallError):
    """There is no app with this token: it ended with its Launch connection."""

    names = ("UnknownApp",)
    advice = "launch the app again"


class InvalidParameter(CallError):
    """A parameter has a value that it cannot have; `parameter` is its path."""

    names = ("InvalidParameter",)
    advice = "mend the value"

    @property
    def parameter(self) -> str:
        return str(self.parameters.get("parameter", ""))


class MethodMissing(CallError):
    """The rig has no such method, or not yet."""

    names = ("MethodNotFound", "MethodNotImplemented", "InterfaceNotFound", "ExpectedMore")
    party = "local"
    advice = "the rig is of another version than this package, or the method comes with a later one"


_BY_NAME: dict[str, type[CallError]] = {
    name: kind
    for kind in list(globals().values())
    if isinstance(kind, type) and issubclass(kind, CallError)
    for name in kind.names
}


def error_from_reply(reply: Mapping[str, Any]) -> CallError:
    """The error of a reply that is one."""
    name = str(reply.get("error"))
    parameters = reply.get("parameters")
    parameters = parameters if isinstance(parameters, Mapping) else {}
    vendor = reply.get("org.dashrig")
    reason = vendor.get("text") if isinstance(vendor, Mapping) else None
    kind = _BY_NAME.get(name.rpartition(".")[2], CallError)
    return kind(str(reason or parameters.get("text") or name), error=name, parameters=parameters)


# What a test wanted and did not get. These are assertions: pytest counts them as failures, not as errors.


class ExpectationFailed(DashrigError, AssertionError):
    """An expected event did not come, or one came that must not. The text holds the timeline of what came instead."""

    error = "eventDidNotCome"
    party = "unknown"

    def __init__(self, reason: str, timeline: str) -> None:
        super().__init__(reason)
        self.timeline = timeline

    def __str__(self) -> str:
        return f"{self.reason}\n{self.timeline}" if self.timeline else self.reason


class ScenarioFailed(DashrigError, AssertionError):
    """A scenario did not pass. `outcome` as in a verdict; the text holds its timeline."""

    error = "scenarioFailed"
    party = "unknown"

    def __init__(self, reason: str, timeline: str, outcome: str) -> None:
        super().__init__(reason)
        self.timeline = timeline
        self.outcome = outcome

    def __str__(self) -> str:
        return f"{self.reason}\n{self.timeline}"


class InvalidExpectation(DashrigError, ValueError):
    """An expectation that can never be met: a kind, a path or a condition is wrong."""

    error = "usage"
    advice = "mend the expectation"

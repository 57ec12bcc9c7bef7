"""The package knows what the interfaces have."""

from __future__ import annotations

import inspect
import warnings

import generate
import pytest

from dashrig import KINDS, METHODS, AsyncApp, AsyncPhone, AsyncRig, Phone, Rig
from dashrig.records import Event
from dashrig.robot import DashrigLibrary

#: Methods that "come with a later version" of the rig: `call` reaches them. One that does something gets a verb.
LATER = {
    "org.dashrig.Rig": {"Record", "Replay"},
    "org.dashrig.App": {
        "SetRoot",
        "Push",
        "Pop",
        "PopToRoot",
        "Present",
        "Dismiss",
        "Update",
        "Complete",
        "PutImage",
    },
}
#: Methods whose verb has another name.
NAMED = {
    "GetState": "state",
    # Its answers are a stream of bytes for a capture file, which `dashrig capture` writes.
    "Capture": "stream",
}
VERBS = {"org.dashrig.Rig": AsyncRig, "org.dashrig.App": AsyncApp}


@pytest.mark.parametrize("name", generate.INTERFACES)
def test_every_method_has_a_verb(name: str) -> None:
    for method in generate.read_interface(name).methods:
        if method in LATER[name]:
            continue
        assert method in METHODS[name], f"{name}.{method} is new: run python/tools/generate.py"
        verb = NAMED.get(method, generate.snake(method))
        assert hasattr(VERBS[name], verb), f"{name}.{method} is new: give {VERBS[name].__name__} the verb '{verb}'"


@pytest.mark.parametrize("name", generate.INTERFACES)
def test_no_method_is_gone(name: str) -> None:
    there = generate.read_interface(name).methods
    assert set(METHODS[name]) <= set(there)
    assert LATER[name] <= set(there)


def test_every_kind_of_event_is_known() -> None:
    new = set(generate.read_kinds()) - set(KINDS)
    assert not new, f"these kinds of events are new: {', '.join(sorted(new))}: run python/tools/generate.py"
    assert set(KINDS) <= set(generate.read_kinds())


def test_every_error_has_a_class() -> None:
    from dashrig.errors import CallError, error_from_reply

    for name in generate.INTERFACES:
        for error in generate.read_interface(name).errors:
            found = type(error_from_reply({"error": f"{name}.{error}", "parameters": {}}))
            assert found is not CallError, f"{name}.{error} is new: give it a class in errors.py"


def test_new_fields_are_told() -> None:
    """Fields are only a warning: records keep those that the package does not know, and `call` sends any."""
    if generate.OUTPUT.read_text() != generate.generate():
        warnings.warn("records.py is behind the interfaces: run python/tools/generate.py", stacklevel=1)
    for name in generate.INTERFACES:
        for method, (parameters, _) in generate.read_interface(name).methods.items():
            verb = getattr(VERBS[name], NAMED.get(method, generate.snake(method)), None)
            if verb is None or method in LATER[name] or method in NAMED or method in ("Subscribe", "Run", "Launch"):
                continue
            has = set(inspect.signature(verb).parameters)
            missing = [one for one in parameters if generate.snake(one) not in has and one not in ("app", "scene")]
            if missing and method != "Acknowledge":
                warnings.warn(f"{name}.{method} takes {missing}, and {verb.__qualname__} does not", stacklevel=1)


def test_what_is_there_is_the_same_with_and_without_asyncio() -> None:
    for plain, awaited in ((Rig, AsyncRig), (Phone, AsyncPhone)):
        wanted = {name for name in vars(awaited) if not name.startswith("_")}
        if awaited is AsyncRig:
            wanted |= {"expect", "then", "expect_never", "expect_exactly"}
        assert wanted <= set(dir(plain)), wanted - set(dir(plain))
        for name in wanted:
            method = getattr(awaited, name)
            if inspect.iscoroutinefunction(method):
                assert getattr(plain, name).__doc__, name


def test_robot_has_the_verbs_too() -> None:
    verbs = {"plug", "unplug", "retry", "set_front", "set_display", "set_vehicle", "set_fault", "clear_faults", "mark"}
    verbs |= {"rotate_knob", "press_knob", "nudge_knob", "press_key", "tap", "swipe", "expect", "send_message"}
    assert verbs <= set(dir(DashrigLibrary))


def test_names_are_python_s() -> None:
    fields = Event.known_fields()
    assert fields["sessionState"] is Event.session_state
    assert generate.snake("limitedUI") == "limited_ui"
    assert generate.snake("bootID") == "boot_id"
    assert generate.snake("trustAfterMilliseconds") == "trust_after_milliseconds"

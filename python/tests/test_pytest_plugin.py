"""The fixtures, and what a failed test shows."""

from __future__ import annotations

import pytest

from dashrig import Rig

PASSING = """
    import pytest

    def test_rig(rig):
        assert rig.state().devices == []
        rig.plug("iphone", "left")

    def test_rig_is_new(rig):
        assert [device for device in rig.state().devices if device.state != "detached"] == []

    def test_phone(rig, phone):
        assert phone.name == "phone" and phone.device().state == "active"

    @pytest.mark.dashrig_phone(profile="ipad", name="pad", locked=True)
    def test_locked(rig, phone):
        rig.expect("session.waiting", device="pad", where={"sessionState.waiting": "locked"})
        assert phone.device().kind == "iPad"

    @pytest.mark.dashrig_app(name="radio")
    def test_app(rig, phone, app):
        assert app.name == "radio"
        assert rig.rotate_knob(1, wait="read").reached == "read"

    def test_what_is_changed(rig):
        rig.set_vehicle(appearance="dark", speed=3, limit_lists=True)
        rig.set_fault("drop", device="nobody", always=True)

    def test_what_was_changed(rig):
        vehicle = rig.state().vehicle
        assert (vehicle.appearance, vehicle.speed, vehicle.limited_ui.lists) == ("light", None, False)
        assert rig.list_faults().faults == []
"""


def test_the_fixtures_on_private_rigs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        PASSING
        + """
    @pytest.mark.dashrig_rig(configuration="[rig]\\ninstance = other\\n")
    def test_configuration(rig):
        assert rig.state().instance == "other"
    """
    )
    result = pytester.runpytest_subprocess("--strict-markers", "-q")
    result.assert_outcomes(passed=8)


def test_the_fixtures_on_a_rig_that_runs(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(PASSING)
    with Rig.start() as rig:
        result = pytester.runpytest_subprocess("-q", "--dashrig-socket-dir", str(rig.socket_dir))
        result.assert_outcomes(passed=7)
        assert [device for device in rig.state().devices if device.state != "detached"] == []


def test_a_failure_shows_the_timeline(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
    def test_expectation(rig, phone):
        phone.unplug()
        rig.expect("session.closed", where={"reason.code": "surpriseRemoval"}, within="50ms")

    def test_something_else(rig, phone):
        assert 1 == 2

    import pytest
    @pytest.mark.dashrig_phone(refuse="authentication", active=True)
    def test_setup(rig, phone):
        pass
    """)
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(failed=2, errors=1)
    text = result.stdout.str()
    assert "dashrig timeline" in text
    assert "dashrigd log" in text
    assert "+ session.active" in text
    assert "reason.code is unplugged, wanted reason.code = surpriseRemoval" in text
    assert "in _run" not in text and "asyncio" not in text, "frames of the package are no help"


def test_a_marker_with_a_mistake(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
    import pytest
    @pytest.mark.dashrig_phone("iphone")
    def test_it(phone):
        pass
    """)
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*dashrig_phone takes its arguments by name*"])


def test_without_a_daemon(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASHRIG_BIN_DIR", str(pytester.path))
    pytester.makepyfile("def test_it(rig): pass")
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*StartFailed*is no program*"])

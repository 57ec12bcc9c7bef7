"""The keywords, run by Robot Framework."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("robot")

SUITE = """\
*** Settings ***
Library    dashrig.robot.DashrigLibrary
Suite Setup    Start Rig

*** Test Cases ***
A Phone Is Pulled
    Plug    iphone    phone    serial=0123
    Expect    session.active    device=phone    within=5s
    Launch App    radio
    ${reached}=    Rotate Knob    3    wait=read
    Should Be Equal    ${reached}    read
    Expect    input.knob    where=knob.detents = 3    app=radio
    Press Knob    hold_milliseconds=10
    Nudge Knob    upLeft
    Press Key    home    tag=7    hold_milliseconds=10
    Expect    input.key    where=input.tag = 7
    Tap    400    240
    Swipe    600    240    300    200    duration_milliseconds=20
    Tap Touchpad    50    50
    Swipe Touchpad    10    50    90    50    duration_milliseconds=20
    Set Display    main    appearance=dark
    Set Vehicle    driver_side=right    limit_keyboard=True
    Expect    vehicle.changed    where=vehicle.driverSide = right
    Send Message    phone    DeviceLanguageUpdate    language=de
    Expect    message.received
    Lock    phone
    Unlock    phone
    Set Front    phone
    Set Fault    stall    device=phone    duration_milliseconds=10
    Clear Faults
    Mark    here
    Expect Exactly    1    mark    within=50ms
    ${device}=    Get Device    phone
    Should Be Equal    ${device}[serial]    0123
    Unplug    phone    surprise=True
    ${closed}=    Expect    session.closed    where=reason.code = surpriseRemoval
    Should Be Equal    ${closed}[device]    phone
    Expect Next    device.detached
    Expect Never    session.active    within=50ms
    ${state}=    Get State
    Close App    radio
    Run Scenario    {scenario}

It Fails With A Timeline
    [Tags]    fails
    Mark    before
    Expect    session.active    within=50ms
"""


def test_the_keywords(tmp_path: Path) -> None:
    scenario = tmp_path / "good.rig"
    scenario.write_text("plug iphone as other\nexpect session active device other within 5s\n")
    suite = tmp_path / "phone.robot"
    suite.write_text(SUITE.replace("{scenario}", str(scenario)))
    command = [sys.executable, "-m", "robot", "--outputdir", str(tmp_path / "out"), str(suite)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "2 tests, 1 passed, 1 failed" in done.stdout, done.stdout
    assert "session.active did not come within 50ms" in done.stdout
    assert "> mark text=before" in done.stdout
    assert "the rig's timeline" in (tmp_path / "out/output.xml").read_text()

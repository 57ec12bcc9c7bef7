"""Cycles, what runs hold, and the files that a run leaves."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dashrig import AsyncRig, Busy, InvalidParameter, Rig, TimedOut

#: What the schema of Jenkins' xUnit plug-in (junit-10) allows: where an element stands, its attributes, those it needs.
JUNIT: dict[str, tuple[set[str | None], set[str], set[str]]] = {
    "testsuites": ({None}, {"name", "time", "tests", "failures", "errors"}, set()),
    "testsuite": (
        {"testsuites", "testsuite"},
        {"name", "tests", "failures", "errors", "group", "time", "skipped", "timestamp", "hostname", "id", "package"}
        | {"file", "log", "url"},
        {"name", "tests", "failures", "errors"},
    ),
    "testcase": ({"testsuite"}, {"name", "time", "classname", "group"}, {"name"}),
    "failure": ({"testcase"}, {"type", "message"}, set()),
    "error": ({"testcase"}, {"type", "message"}, set()),
    "system-out": ({"testcase", "testsuite"}, set(), set()),
}


def check_junit(element: ElementTree.Element, parent: str | None = None) -> None:
    parents, allowed, required = JUNIT[element.tag]
    assert parent in parents, f"{element.tag} in {parent}"
    assert required <= set(element.attrib) <= allowed, element.attrib
    if "time" in element.attrib:
        assert float(element.attrib["time"]) >= 0
    for child in element:
        check_junit(child, element.tag)


def test_cycles_are_counted_and_told_one_by_one(rig: Rig) -> None:
    report = rig.cycle("iphone", name="p", count=4, unplug_at="authenticating", interval_milliseconds=1)
    assert report.passed
    assert [cycle.number for cycle in report.cycles] == [1, 2, 3, 4]
    assert {cycle.pulled_at for cycle in report.cycles} == {"authenticating"}
    assert all((cycle.ready or 0) > 0 and cycle.code is None for cycle in report.cycles)
    assert (report.summary.succeeded, report.summary.failed, report.summary.interrupted) == (4, 0, False)
    with pytest.raises(InvalidParameter):
        rig.cycle("iphon", count=1)
    with pytest.raises(TimedOut):
        rig.cycle("iphone", count=1000, interval_milliseconds=1000, within=0.3)


def test_a_run_holds_what_it_names(rig: Rig) -> None:
    async def both() -> None:
        async with AsyncRig(socket_dir=rig.socket_dir) as first, AsyncRig(socket_dir=rig.socket_dir) as second:
            run = asyncio.create_task(first.run("plug iphone as a\nwait 10s\n", name="one", check=False))
            while not (leases := await second.list_leases()):
                await asyncio.sleep(0.01)
            assert (leases[0].owner, leases[0].resources, leases[0].waiting) == ("one", ["device a"], False)
            with pytest.raises(Busy) as busy:
                await second.run("lock a\n")
            assert "'one'" in str(busy.value)
            with pytest.raises(Busy):
                await second.unlease(leases[0].id)
            await second.unlease(leases[0].id, force=True)
            assert (await run).verdict.outcome == "interrupted"

    asyncio.run(both())


@pytest.mark.parametrize(
    ("text", "code", "element"),
    [
        ("plug iphone as a\nexpect session active within 2s\n", 0, None),
        ("expect mark within 100ms\n", 1, "failure"),
        ('mark "]]> & <b>"\nfly away\n', 2, "error"),
        ("plug iphone as a\nplug iphone as a\n", 3, "error"),
    ],
)
def test_junit_is_what_its_readers_take(tmp_path: Path, text: str, code: int, element: str | None) -> None:
    dashrig = Path(os.environ["DASHRIG_BIN_DIR"]) / "dashrig"
    scenario, folder = tmp_path / "t.rig", tmp_path / "artifacts"
    scenario.write_text(text)
    command = [str(dashrig), "simulate", str(scenario), "--runs", "2", "--artifacts", str(folder)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == code
    suites = ElementTree.parse(folder / "junit.xml").getroot()
    check_junit(suites)
    case = suites.find("testsuite/testcase")
    assert case is not None
    assert case.get("name") == "t"
    kinds = [child.tag for child in case if child.tag != "system-out"]
    assert kinds == ([element] if element else [])
    verdict = json.loads((folder / "verdict.json").read_text())
    assert verdict["exitCode"] == code

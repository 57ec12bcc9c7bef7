"""Every example of the README is run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
ROOT = README.parents[1]
#: Examples of the package in other pages.
ELSEWHERE = [
    text
    for page in (ROOT / "README.md", ROOT / "docs/scenarios.md")
    for text in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    if "from dashrig import" in text
]
PYTHON = [text for language, text in BLOCKS if language == "python"]


def test_there_are_examples() -> None:
    assert len(PYTHON) >= 4
    assert len(ELSEWHERE) >= 2
    assert {language for language, _ in BLOCKS} == {"python", "console", "text", "yaml", "robotframework"}


@pytest.mark.parametrize("text", [text for text in PYTHON if "def test_" not in text] + ELSEWHERE)
def test_programs(text: str, tmp_path: Path) -> None:
    (tmp_path / "example.py").write_text(text)
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_tests(pytester: pytest.Pytester) -> None:
    tests = [text for text in PYTHON if "def test_" in text]
    assert tests
    for text in tests:
        pytester.makepyfile(text)
        pytester.runpytest_subprocess("-q").assert_outcomes(passed=text.count("def test_"))


def test_robot(tmp_path: Path) -> None:
    pytest.importorskip("robot")
    (text,) = [text for language, text in BLOCKS if language == "robotframework"]
    (tmp_path / "example.robot").write_text(text)
    command = [sys.executable, "-m", "robot", "--outputdir", str(tmp_path / "out"), "example.robot"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_installed_is_named() -> None:
    from dashrig import App, Phone, Rig

    section = README.read_text().partition("## Verbs")[2].partition("## Expectations")[0]
    table = section[section.index("|---|") :].partition("\n\n")[0]
    known = set(dir(Rig)) | set(dir(Phone)) | set(dir(App)) | {"App"}
    for word in re.findall(r"`(\w+)(?:\(\w*\))?`", table):
        assert word in known, word

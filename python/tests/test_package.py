"""The package as pip builds and installs it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, since setuptools writes beside its sources; without a network."""
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("package")
    copy = folder / "python"
    shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-index", "--no-deps", "--no-build-isolation"]
    done = subprocess.run([*command, "-w", str(folder), str(copy)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_what_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read("dashrig-0.1.0.dist-info/METADATA").decode()
        entries = archive.read("dashrig-0.1.0.dist-info/entry_points.txt").decode()
    sources = {f"dashrig/{file.name}" for file in (PROJECT / "src/dashrig").glob("*.py")}
    assert sources | {"dashrig/py.typed"} <= names
    assert not any(name.startswith("tests") for name in names)
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra" not in line]
    assert needed == []
    assert "dashrig = dashrig.pytest_plugin" in entries


def test_it_needs_nothing_else(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)], check=True, timeout=300)
    place = next((tmp_path / "lib").glob("python3*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    script = (
        "import sys\nbefore = set(sys.modules)\nimport dashrig\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names\n"
        "print(sorted(name for name in new if not name.startswith('_')))\n"
        "with dashrig.Rig.start() as rig:\n"
        "    rig.plug('iphone', 'phone')\n"
        "    print(rig.expect('session.active', device='phone').kind)\n"
    )
    done = subprocess.run([tmp_path / "bin/python", "-I", "-c", script], capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["['dashrig']", "session.active"], done.stdout + done.stderr

"""What the tests share. They need a dashrigd: DASHRIG_BIN_DIR, or that of .build/debug."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

if "DASHRIG_BIN_DIR" not in os.environ and (ROOT / ".build/debug/dashrigd").exists():
    os.environ["DASHRIG_BIN_DIR"] = str(ROOT / ".build/debug")

sys.path.insert(0, str(ROOT / "python/tools"))

pytest_plugins = ["pytester"]

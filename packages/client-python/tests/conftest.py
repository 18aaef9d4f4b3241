"""Starts the scripted server of the fault suite, which every SDK passes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SUITE = Path(__file__).parents[3] / "tests" / "sdk-faults"


def load_faults() -> list[dict[str, Any]]:
    faults: list[dict[str, Any]] = json.loads((SUITE / "faults.json").read_text())
    return faults


@pytest.fixture(scope="session")
def fault_server() -> Iterator[str]:
    process = subprocess.Popen(
        ["node", str(SUITE / "server.ts")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdin is not None
    yield process.stdout.readline().strip()
    process.stdin.close()
    process.wait(timeout=10)

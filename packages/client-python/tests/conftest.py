"""Starts the scripted server of the fault suite, which every SDK passes."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from servers import ClosingHandler, serve

SUITE = Path(__file__).parents[3] / "tests" / "sdk-faults"

runs = itertools.count()


def load_faults() -> list[dict[str, Any]]:
    faults: list[dict[str, Any]] = json.loads((SUITE / "faults.json").read_text())
    return faults


class FaultServer:
    """Serves each case of the suite at an address of its own for every run."""

    def __init__(self, url: str) -> None:
        self.url = url

    def start_case(self, index: int) -> str:
        """Returns the path of a new run of a case."""
        return f"/{index}/python-{next(runs)}"

    def start_named(self, name: str) -> str:
        return self.start_case([fault["name"] for fault in load_faults()].index(name))

    def log(self, path: str) -> list[dict[str, Any]]:
        """Returns the requests of a run."""
        with urllib.request.urlopen(f"{self.url}{path}/log") as response:
            log: list[dict[str, Any]] = json.load(response)
        return log


@pytest.fixture(scope="session")
def fault_server() -> Iterator[FaultServer]:
    process = subprocess.Popen(
        ["node", str(SUITE / "server.ts")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdin is not None
    yield FaultServer(process.stdout.readline().strip())
    process.stdin.close()
    process.wait(timeout=10)


def hide_httpx(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the client behave as if httpx weren't installed."""
    modules: dict[str, Any] = sys.modules
    monkeypatch.setitem(modules, "httpx", None)
    monkeypatch.delitem(modules, "brickmark._httpx_transport", raising=False)


@pytest.fixture(params=["standard library", "httpx"])
def async_transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs a test with httpx, and as if it weren't installed."""
    if request.param == "standard library":
        hide_httpx(monkeypatch)
    return str(request.param)


@pytest.fixture
def closing_server() -> Iterator[str]:
    with serve(ClosingHandler) as port:
        yield f"http://127.0.0.1:{port}"

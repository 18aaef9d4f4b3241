"""The fault suite that every SDK passes: synchronously, and asynchronously with and without httpx."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

import brickmark
from brickmark import AsyncBrickmark, Brickmark, BrickmarkError, ResponseEvent
from conftest import FaultServer, load_faults

REQUEST_ID = "7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11"
FAULTS = list(enumerate(load_faults()))
NAMES = [fault["name"] for _, fault in FAULTS]


def closed_url() -> str:
    """Returns a URL where nothing listens any more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}"


def get_set(**options: Any) -> Any:
    with Brickmark("bmk_live_test", **options) as client:
        return client.get_set("90341-1")


def get_set_async(**options: Any) -> Any:
    async def run() -> Any:
        async with AsyncBrickmark("bmk_live_test", **options) as client:
            return await client.get_set("90341-1")

    return asyncio.run(run())


@pytest.mark.parametrize(("index", "fault"), FAULTS, ids=NAMES)
def test_fault(fault_server: FaultServer, index: int, fault: dict[str, Any]) -> None:
    check_fault(fault_server, get_set, index, fault)


@pytest.mark.parametrize(("index", "fault"), FAULTS, ids=NAMES)
def test_fault_async(fault_server: FaultServer, async_transport: str, index: int, fault: dict[str, Any]) -> None:
    check_fault(fault_server, get_set_async, index, fault)


def check_fault(server: FaultServer, call: Callable[..., Any], index: int, fault: dict[str, Any]) -> None:
    path = server.start_case(index)
    attempts: list[ResponseEvent] = []
    options: dict[str, Any] = {
        "base_url": (closed_url() if fault.get("unreachable") else server.url) + path + "/api/v1",
        "on_response": attempts.append,
    }
    given = fault.get("options", {})
    if "timeoutMs" in given:
        options["timeout"] = given["timeoutMs"] / 1000
    if "maxRetries" in given:
        options["max_retries"] = given["maxRetries"]
    if "retryMaybeCharged" in given:
        options["retry_maybe_charged"] = given["retryMaybeCharged"]
    expected = fault["expect"]
    started_at = time.monotonic()
    error = None
    result = None
    try:
        result = call(**options)
    except BrickmarkError as raised:
        error = raised
    took = time.monotonic() - started_at
    log = server.log(path)
    assert len(log) == expected["requests"]
    assert [event.attempt for event in attempts] == list(range(1, expected.get("attempts", expected["requests"]) + 1))
    assert took * 1000 >= expected.get("minMs", 0)
    for request in log:
        assert request["headers"]["authorization"] == "Bearer bmk_live_test"
        assert re.fullmatch(r"brickmark-python/\d+\.\d+\.\d+ python/\S+ \w+", request["headers"]["user-agent"])
    if "error" not in expected:
        assert error is None
        assert result is not None
        assert result.data["title"] == expected["title"]
        assert (result.meta.request_id, result.response.status) == (REQUEST_ID, 200)
        return
    details = expected["error"]
    assert error is not None
    assert isinstance(error, getattr(brickmark, details["class"]))
    assert error.code == details["code"]
    assert error.status == details.get("status")
    assert error.is_retryable == details["isRetryable"]
    assert error.maybe_charged == details["maybeCharged"]
    assert error.retry_after == details.get("retryAfter")
    # Only the API's own errors say where they are explained.
    is_ours = any("code" in response for response in fault["responses"][-1:])
    assert error.request_id == (REQUEST_ID if is_ours else None)
    assert error.docs_url == (f"{server.url}/docs/errors#{details['code']}" if is_ours else None)

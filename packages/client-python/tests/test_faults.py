"""The fault suite that every SDK passes, synchronously and asynchronously."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import socket
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import brickmark
import pytest
from brickmark import AsyncBrickmark, Brickmark, BrickmarkError, ResponseEvent

from conftest import load_faults

REQUEST_ID = "7f8a4c1e-2f4b-4c53-9a55-0c2b8a8f4d11"

runs = itertools.count()


def closed_url() -> str:
    """Returns a URL where nothing listens any more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}"


def get_set(**options: Any) -> Any:
    return Brickmark("bmk_live_test", **options).get_set("90341-1")


def get_set_async(**options: Any) -> Any:
    async def run() -> Any:
        async with AsyncBrickmark("bmk_live_test", **options) as client:
            return await client.get_set("90341-1")

    return asyncio.run(run())


@pytest.mark.parametrize("call", [get_set, get_set_async], ids=["sync", "async"])
@pytest.mark.parametrize(("index", "fault"), enumerate(load_faults()), ids=[fault["name"] for fault in load_faults()])
def test_fault(fault_server: str, call: Callable[..., Any], index: int, fault: dict[str, Any]) -> None:
    path = f"/{index}/python-{next(runs)}"
    attempts: list[ResponseEvent] = []
    options: dict[str, Any] = {
        "base_url": (closed_url() if fault.get("unreachable") else fault_server) + path + "/api/v1",
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
    try:
        result = call(**options)
    except BrickmarkError as raised:
        error = raised
    took = time.monotonic() - started_at
    with urllib.request.urlopen(f"{fault_server}{path}/log") as response:
        log = json.load(response)
    assert len(log) == expected["requests"]
    assert [event.attempt for event in attempts] == list(range(1, expected.get("attempts", expected["requests"]) + 1))
    assert took * 1000 >= expected.get("minMs", 0)
    for request in log:
        assert request["headers"]["authorization"] == "Bearer bmk_live_test"
        assert re.fullmatch(r"brickmark-python/\d+\.\d+\.\d+ python/\S+ \w+", request["headers"]["user-agent"])
    if "error" not in expected:
        assert error is None
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
    assert error.docs_url == (f"{fault_server}/docs/errors#{details['code']}" if is_ours else None)

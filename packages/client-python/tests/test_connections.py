"""Connections that are kept open, options, and requests that are cancelled."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from brickmark import AsyncBrickmark, Brickmark, NotFoundError, RequestEvent
from conftest import FaultServer

SUCCESS = "a success is returned with its metadata"
HANGS = "a service that hangs fails after two retries"
NOT_FOUND = "404 is raised at once"


def ports(server: FaultServer, path: str) -> list[int]:
    return [request["port"] for request in server.log(path)]


def wait_until_received(server: FaultServer, path: str) -> None:
    for _ in range(500):
        if server.log(path):
            return
        time.sleep(0.02)
    raise AssertionError("The request did not arrive.")


def wait_until_aborted(server: FaultServer, path: str) -> None:
    for _ in range(500):
        if all(request["isAborted"] for request in server.log(path)):
            return
        time.sleep(0.02)
    raise AssertionError("The connection is still open.")


def test_requests_share_a_connection(fault_server: FaultServer) -> None:
    path = fault_server.start_named(SUCCESS)
    with Brickmark("bmk_live_test", base_url=f"{fault_server.url}{path}/api/v1") as client:
        for _ in range(3):
            client.get_set("90341-1")
    assert len(set(ports(fault_server, path))) == 1


def test_an_error_leaves_the_connection_open(fault_server: FaultServer) -> None:
    path = fault_server.start_named(NOT_FOUND)
    with Brickmark("bmk_live_test", base_url=f"{fault_server.url}{path}/api/v1") as client:
        for _ in range(3):
            with pytest.raises(NotFoundError):
                client.get_set("90341-1")
    assert len(set(ports(fault_server, path))) == 1


def test_a_connection_that_broke_is_not_used_again(fault_server: FaultServer) -> None:
    path = fault_server.start_named("a response that breaks off is retried until it succeeds")
    with Brickmark("bmk_live_test", base_url=f"{fault_server.url}{path}/api/v1") as client:
        client.get_set("90341-1")
        client.get_set("90341-1")
    first, second, third = ports(fault_server, path)
    assert first != second == third


def test_a_connection_that_the_service_closed_is_replaced(closing_server: str) -> None:
    attempts: list[RequestEvent] = []
    with Brickmark("bmk_live_test", base_url=f"{closing_server}/api/v1", on_request=attempts.append) as client:
        for _ in range(3):
            client.get_set("90341-1")
            time.sleep(0.1)
    # The closed connection was noticed before the request was sent: no attempt was lost.
    assert [event.attempt for event in attempts] == [1, 1, 1]


def test_threads_have_connections_of_their_own(fault_server: FaultServer) -> None:
    path = fault_server.start_named(SUCCESS)
    barrier = threading.Barrier(5)

    def wait_for_the_others(_: RequestEvent) -> None:
        barrier.wait()

    base_url = f"{fault_server.url}{path}/api/v1"
    with Brickmark("bmk_live_test", base_url=base_url, on_request=wait_for_the_others) as client:

        def get_title(number: int) -> str:
            return client.get_set(str(number)).data["title"]

        with ThreadPoolExecutor(5) as threads:
            titles = list(threads.map(get_title, range(1, 21)))
    assert titles == ["Lighthouse"] * 20
    assert 1 <= len(set(ports(fault_server, path))) <= 5


def test_other_options_share_the_connections(fault_server: FaultServer) -> None:
    path = fault_server.start_named(SUCCESS)
    with Brickmark(
        "bmk_live_test", base_url=f"{fault_server.url}{path}/api/v1", headers={"x-team": "pricing", "x-job": "a"}
    ) as client:
        client.get_set("90341-1")
        nightly = client.with_options(api_key="bmk_live_other", headers={"x-job": "nightly"})
        nightly.get_set("90341-1")
        client.get_set("90341-1")
    log = fault_server.log(path)
    assert len({request["port"] for request in log}) == 1
    sent = [[request["headers"][name] for name in ("authorization", "x-team", "x-job")] for request in log]
    own = ["Bearer bmk_live_test", "pricing", "a"]
    assert sent == [own, ["Bearer bmk_live_other", "pricing", "nightly"], own]


def test_other_options_override_each(fault_server: FaultServer) -> None:
    path = fault_server.start_named("503 with Retry-After is raised after two retries")
    client = Brickmark("bmk_live_test", base_url=f"{fault_server.url}{path}/api/v1", max_retries=5)
    with pytest.raises(Exception, match="It is InternalError"):
        client.with_options(max_retries=0).get_set("90341-1")
    assert len(fault_server.log(path)) == 1
    with pytest.raises(ValueError, match="must start with http"):
        client.with_options(base_url="api.example")


def test_sends_requests_to_any_path(fault_server: FaultServer) -> None:
    path = fault_server.start_named(SUCCESS)
    with Brickmark("bmk_live_test", base_url=f"{fault_server.url}{path}/api/v1") as client:
        client.request("GET", "/new", query={"q": "fish stall", "max": None, "limit": 5})
        client.request("POST", "/api/extensions/v1/new", body={"sets": ["1"]})
    sent = [(request["method"], request["url"].removeprefix(path)) for request in fault_server.log(path)]
    assert sent == [("GET", "/api/v1/new?q=fish+stall&limit=5"), ("POST", "/api/extensions/v1/new")]


def run_async(server: FaultServer, path: str, use: Any, **options: Any) -> Any:
    async def run() -> Any:
        async with AsyncBrickmark("bmk_live_test", base_url=f"{server.url}{path}/api/v1", **options) as client:
            return await use(client)

    return asyncio.run(run())


def test_async_requests_run_side_by_side(fault_server: FaultServer, async_transport: str) -> None:
    async def use(client: AsyncBrickmark) -> list[str]:
        results = await asyncio.gather(*(client.get_set("90341-1") for _ in range(30)))
        return [result.data["title"] for result in results]

    path = fault_server.start_named(SUCCESS)
    assert run_async(fault_server, path, use) == ["Lighthouse"] * 30
    assert len(set(ports(fault_server, path))) <= 10


def test_async_requests_share_a_connection(fault_server: FaultServer, async_transport: str) -> None:
    async def use(client: AsyncBrickmark) -> None:
        for _ in range(3):
            await client.with_options(timeout=5).get_set("90341-1")

    path = fault_server.start_named(SUCCESS)
    run_async(fault_server, path, use)
    assert len(set(ports(fault_server, path))) == 1


def test_a_cancelled_task_closes_its_connection(fault_server: FaultServer, async_transport: str) -> None:
    events: list[Any] = []

    async def use(client: AsyncBrickmark) -> None:
        task = asyncio.create_task(client.get_set("90341-1"))
        await asyncio.to_thread(wait_until_received, fault_server, path)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(wait_until_aborted, fault_server, path)

    path = fault_server.start_named(HANGS)
    run_async(fault_server, path, use, on_response=events.append)
    assert len(fault_server.log(path)) == 1
    assert [(event.attempt, event.status, event.error) for event in events] == [(1, None, None)]


def test_a_task_can_be_cancelled_while_it_waits_for_a_retry(fault_server: FaultServer, async_transport: str) -> None:
    async def use(client: AsyncBrickmark) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.get_set("90341-1"), 1)

    path = fault_server.start_named("429 with a long Retry-After is raised at once")
    run_async(fault_server, path, use, max_retry_after=86_400)
    assert len(fault_server.log(path)) == 1


def test_requests_that_wait_for_a_connection_are_never_sent_if_cancelled(
    fault_server: FaultServer, async_transport: str
) -> None:
    async def use(client: AsyncBrickmark) -> None:
        tasks = [asyncio.create_task(client.get_set("90341-1")) for _ in range(25)]
        await asyncio.to_thread(wait_until_received, fault_server, path)
        await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(wait_until_aborted, fault_server, path)

    path = fault_server.start_named(HANGS)
    run_async(fault_server, path, use)
    assert len(fault_server.log(path)) <= 10

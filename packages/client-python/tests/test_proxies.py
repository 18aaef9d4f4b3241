"""Proxies from the environment, and certificates of a private authority."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from brickmark import APIConnectionError, AsyncBrickmark, Brickmark
from conftest import hide_httpx
from servers import ApiHandler, ProxyHandler, create_certificate, serve


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    return create_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
def proxy() -> Iterator[tuple[int, list[tuple[str, str, str | None]]]]:
    log: list[tuple[str, str, str | None]] = []
    with serve(type("Handler", (ProxyHandler,), {"log": log})) as port:
        yield port, log


def get_title(**options: Any) -> str:
    with Brickmark("bmk_live_test", max_retries=0, **options) as client:
        return client.get_set("1").data["title"]


def get_title_async(**options: Any) -> str:
    async def run() -> str:
        async with AsyncBrickmark("bmk_live_test", max_retries=0, **options) as client:
            return (await client.get_set("1")).data["title"]

    return asyncio.run(run())


@pytest.fixture(params=["sync", "standard library", "httpx"])
def get(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    if request.param == "standard library":
        hide_httpx(monkeypatch)
    return get_title if request.param == "sync" else get_title_async


def test_http_goes_through_the_proxy(
    get: Callable[..., str], proxy: tuple[int, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, log = proxy
    monkeypatch.setenv("HTTP_PROXY", f"http://user:pass%20word@127.0.0.1:{port}")
    with serve(ApiHandler) as api:
        assert get(base_url=f"http://127.0.0.1:{api}/api/v1") == "Lighthouse"
        assert log == [("GET", f"http://127.0.0.1:{api}/api/v1/set/1", "Basic dXNlcjpwYXNzIHdvcmQ=")]


def test_https_goes_through_a_tunnel(
    get: Callable[..., str],
    proxy: tuple[int, list[Any]],
    tls: tuple[ssl.SSLContext, ssl.SSLContext],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    port, log = proxy
    monkeypatch.setenv("ALL_PROXY", f"http://user:secret@127.0.0.1:{port}")
    with serve(ApiHandler, tls[0]) as api:
        assert get(base_url=f"https://localhost:{api}/api/v1", ssl_context=tls[1]) == "Lighthouse"
        assert log == [("CONNECT", f"localhost:{api}", "Basic dXNlcjpzZWNyZXQ=")]


def test_hosts_in_no_proxy_are_reached_directly(
    get: Callable[..., str], proxy: tuple[int, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, log = proxy
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("NO_PROXY", "example.org,127.0.0.1")
    with serve(ApiHandler) as api:
        assert get(base_url=f"http://127.0.0.1:{api}/api/v1") == "Lighthouse"
    assert log == []


def test_a_proxy_that_cannot_be_reached_costs_nothing(get: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(ApiHandler) as closed:
        pass
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{closed}")
    with pytest.raises(APIConnectionError) as failure:
        get(base_url="http://service.example/api/v1")
    assert not failure.value.maybe_charged


def test_an_unknown_certificate_is_rejected(
    get: Callable[..., str], tls: tuple[ssl.SSLContext, ssl.SSLContext]
) -> None:
    with serve(ApiHandler, tls[0]) as api, pytest.raises(APIConnectionError) as failure:
        get(base_url=f"https://localhost:{api}/api/v1")
    assert not failure.value.maybe_charged


def test_only_http_proxies_are_supported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "socks5://127.0.0.1:1080")
    with pytest.raises(ValueError, match="Only proxies with http://"):
        get_title(base_url="http://service.example/api/v1")


def test_two_requests_share_a_tunnel(
    proxy: tuple[int, list[Any]], tls: tuple[ssl.SSLContext, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, log = proxy
    monkeypatch.setenv("HTTPS_PROXY", f"127.0.0.1:{port}")
    with (
        serve(ApiHandler, tls[0]) as api,
        Brickmark("bmk_live_test", base_url=f"https://localhost:{api}/api/v1", ssl_context=tls[1]) as client,
    ):
        client.get_set("1")
        client.get_set("1")
    assert len(log) == 1

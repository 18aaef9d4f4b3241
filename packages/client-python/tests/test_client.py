"""What a caller can get wrong, and lists, without a service."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from brickmark import AsyncPages, Brickmark, MissingApiKeyError, Page, Pages, batch_cost


def test_reads_key_and_base_url_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRICKMARK_API_KEY", raising=False)
    with pytest.raises(MissingApiKeyError, match="BRICKMARK_API_KEY"):
        Brickmark()
    monkeypatch.setenv("BRICKMARK_API_KEY", "bmk_live_test")
    with pytest.raises(ValueError, match="BRICKMARK_BASE_URL"):
        Brickmark()
    monkeypatch.setenv("BRICKMARK_BASE_URL", "https://api.example/api/v1/")
    assert Brickmark()._options.base_url == "https://api.example/api/v1"
    with pytest.raises(ValueError, match="must start with http"):
        Brickmark(base_url="api.example")


@pytest.fixture
def client() -> Brickmark:
    return Brickmark("bmk_live_test", base_url="https://api.example/api/v1")


@pytest.mark.parametrize("value", [None, "", " ", 90341])
def test_a_number_must_be_a_string(client: Brickmark, value: Any) -> None:
    with pytest.raises(TypeError, match=r'get_set needs a string, e.g. get_set\("90341-1"\)'):
        client.get_set(value)


def test_a_lookup_of_retail_prices_needs_an_identifier(client: Brickmark) -> None:
    with pytest.raises(TypeError, match="find_retail_prices needs set, asin or upc"):
        client.find_retail_prices()


def test_a_path_starts_with_a_slash(client: Brickmark) -> None:
    with pytest.raises(ValueError, match="path must start with /"):
        client.request("GET", "catalog/themes")


def test_batches_are_split_without_duplicates() -> None:
    assert batch_cost(sets=["1", "1-1", " 2 "], minifigs=["HBR001", "hbr001", ""]) == 3
    assert batch_cost(sets=[str(number) for number in range(250)]) == 250
    with pytest.raises(TypeError, match="must be a list"):
        batch_cost(sets="90341-1")


def pages_of(count: int, requests: list[tuple[int, int]]) -> Any:
    def fetch(limit: int, offset: int) -> Page[int]:
        requests.append((limit, offset))
        items = list(range(offset, min(count, offset + limit)))
        return Page(items, count, offset + limit < count, None, None)  # type: ignore[arg-type]

    return fetch


@pytest.mark.parametrize(
    ("maximum", "expected", "requests"),
    [(None, 600, [(250, 0), (250, 250), (250, 500)]), (300, 300, [(250, 0), (50, 250)]), (0, 0, [])],
)
def test_lists_are_read_page_by_page(maximum: int | None, expected: int, requests: list[tuple[int, int]]) -> None:
    seen: list[tuple[int, int]] = []
    assert Pages(pages_of(600, seen)).to_list(maximum) == list(range(expected))
    assert seen == requests
    seen.clear()
    fetch = pages_of(600, seen)

    async def fetch_async(limit: int, offset: int) -> Page[int]:
        page: Page[int] = fetch(limit, offset)
        return page

    assert asyncio.run(AsyncPages(fetch_async).to_list(maximum)) == list(range(expected))
    assert seen == requests

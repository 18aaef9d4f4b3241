"""Lists that are fetched page by page, as they are read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from ._response import Meta, Response

T = TypeVar("T")

PAGE_SIZE = 250
"""Maximum page size of the API."""


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of results (1 credit). `total` is the full count."""

    items: list[T]
    total: int
    has_more: bool
    meta: Meta
    response: Response


class Pages(Generic[T]):
    """A lazy list. Iterate over it, or use `to_list()` or `pages()`."""

    def __init__(self, fetch: Callable[[int, int], Page[T]]) -> None:
        self._fetch = fetch

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def to_list(self, max: int | None = None) -> list[T]:
        """Collects all items, or the first `max`, in as few requests as possible."""
        return [item for page in self.pages(max) for item in page.items]

    def pages(self, max: int | None = None) -> Iterator[Page[T]]:
        """Iterates over pages, each with its `meta`."""
        offset = 0
        while max is None or offset < max:
            page = self._fetch(PAGE_SIZE if max is None else min(PAGE_SIZE, max - offset), offset)
            yield page
            offset += len(page.items)
            if not page.has_more or not page.items:
                return


class AsyncPages(Generic[T]):
    """A lazy list. Iterate over it with `async for`, or use `await to_list()` or `pages()`."""

    def __init__(self, fetch: Callable[[int, int], Awaitable[Page[T]]]) -> None:
        self._fetch = fetch

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def to_list(self, max: int | None = None) -> list[T]:
        """Collects all items, or the first `max`, in as few requests as possible."""
        return [item async for page in self.pages(max) for item in page.items]

    async def pages(self, max: int | None = None) -> AsyncIterator[Page[T]]:
        """Iterates over pages, each with its `meta`."""
        offset = 0
        while max is None or offset < max:
            page = await self._fetch(PAGE_SIZE if max is None else min(PAGE_SIZE, max - offset), offset)
            yield page
            offset += len(page.items)
            if not page.has_more or not page.items:
                return

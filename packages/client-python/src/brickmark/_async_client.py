"""The asynchronous client: the synchronous one on threads of its own, so that there is one implementation."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, TypeVar

from typing import TYPE_CHECKING

from . import _types as types
from ._batch import split_batch
from ._client import Brickmark
from ._pages import AsyncPages, Page, Pages
from ._transport import RequestEvent, ResponseEvent, Result
from ._errors import RateLimit

if TYPE_CHECKING:
    from types import TracebackType

T = TypeVar("T")

MAX_CONCURRENT = 10
"""As many requests of a key as the API runs at a time."""


class AsyncBrickmark:
    """Asynchronous client for the Brickmark API. Takes the same arguments as `Brickmark`.

    At most ten requests run at a time, as many as the API runs per key. Cancelling a task stops waiting for the response,
    but the request itself ends in the background and may be charged. Use it as `async with AsyncBrickmark() as brickmark`,
    or call `close()`.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 30,
        max_retries: int = 2,
        retry_maybe_charged: bool = True,
        max_retry_after: float = 60,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
        on_request: Callable[[RequestEvent], None] | None = None,
        on_response: Callable[[ResponseEvent], None] | None = None,
    ) -> None:
        self._client = Brickmark(
            api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            retry_maybe_charged=retry_maybe_charged,
            max_retry_after=max_retry_after,
            headers=headers,
            ssl_context=ssl_context,
            on_request=on_request,
            on_response=on_response,
        )
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT, thread_name_prefix="brickmark")

    async def __aenter__(self) -> AsyncBrickmark:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the threads once their requests have ended."""
        self._threads.shutdown(wait=False)

    async def _run(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def get_set(self, number: str) -> Result[types.Set]:
        """Get a set and its values. Costs 1 credit."""
        return await self._run(lambda: self._client.get_set(number))

    async def get_minifig(self, number: str) -> Result[types.Minifig]:
        """Get a minifig and its value. Costs 1 credit."""
        return await self._run(lambda: self._client.get_minifig(number))

    def search_sets(self, q: str) -> AsyncPages[types.SetSearchResult]:
        """Search sets by number or name. Results have no values. Costs 1 credit per 250 results."""
        return self._pages(self._client.search_sets(q))

    def search_minifigs(self, q: str) -> AsyncPages[types.MinifigSearchResult]:
        """Search minifigs by number or name. Results have no values. Costs 1 credit per 250 results."""
        return self._pages(self._client.search_minifigs(q))

    async def list_themes(self) -> list[types.Theme]:
        """List all themes with their set counts. Costs 1 credit."""
        return await self._run(self._client.list_themes)

    async def get_batch(self, sets: Iterable[str] = (), minifigs: Iterable[str] = ()) -> Result[types.BatchData]:
        """Get any number of sets and minifigs. Costs 1 credit per unique item, found or not."""
        return await self._run(lambda: self._client.get_batch(sets, minifigs))

    async def get_batches(
        self, sets: Iterable[str] = (), minifigs: Iterable[str] = ()
    ) -> AsyncIterator[Result[types.BatchData]]:
        """Like `get_batch`, but yields results in chunks of 100."""
        for batch in split_batch(sets, minifigs):
            yield await self._run(lambda batch=batch: self._client.get_batch(**batch))  # type: ignore[misc]

    async def get_set_history(
        self, number: str, *, condition: Literal["sealed", "used"] | None = None
    ) -> Result[types.SetHistory]:
        """Get the monthly value history of a set (finalized months only). Costs 1 credit."""
        return await self._run(lambda: self._client.get_set_history(number, condition=condition))

    async def get_set_retail_prices(self, number: str) -> Result[types.RetailWatchRow | None]:
        """Get live retailer prices of a set, or None if none are tracked. Costs 1 credit."""
        return await self._run(lambda: self._client.get_set_retail_prices(number))

    async def find_retail_prices(
        self, *, set: str | None = None, asin: str | None = None, upc: str | None = None
    ) -> Result[types.RetailWatchRow | None]:
        """Get live retailer prices by set number, ASIN or barcode. Costs 1 credit."""
        return await self._run(lambda: self._client.find_retail_prices(set=set, asin=asin, upc=upc))

    async def watch_retail_prices(
        self,
        *,
        changed_within: str | None = None,
        since: str | None = None,
        asin: str | None = None,
        upc: str | None = None,
    ) -> list[types.RetailWatchRow]:
        """List live retailer prices for the sets you own, optionally only recent changes. Costs 1 credit."""
        return await self._run(
            lambda: self._client.watch_retail_prices(changed_within=changed_within, since=since, asin=asin, upc=upc)
        )

    async def list_brickfolios(self) -> Result[types.BrickfoliosData]:
        """List your collections with totals, and purchases by month. Costs 1 credit."""
        return await self._run(self._client.list_brickfolios)

    async def get_analytics(self, *, period: Literal["30d", "90d", "1y"] | None = None) -> Result[types.Analytics]:
        """Get your portfolio value over time. Costs 1 credit."""
        return await self._run(lambda: self._client.get_analytics(period=period))

    def list_entries(self, *, brickfolio_id: int | None = None) -> AsyncPages[types.Holding]:
        """List your lots with current values: the cheapest way to value a collection. Costs 1 credit per 250."""
        return self._pages(self._client.list_entries(brickfolio_id=brickfolio_id))

    def list_sales(self) -> AsyncPages[types.Sale]:
        """List your sales, newest first. Costs 1 credit per 250."""
        return self._pages(self._client.list_sales())

    async def get_rate_limit(self) -> RateLimit:
        """Get your remaining quota. Free."""
        return await self._run(self._client.get_rate_limit)

    def _pages(self, pages: Pages[Any]) -> AsyncPages[Any]:
        async def fetch(limit: int, offset: int) -> Page[Any]:
            return await self._run(lambda: pages._fetch(limit, offset))

        return AsyncPages(fetch)

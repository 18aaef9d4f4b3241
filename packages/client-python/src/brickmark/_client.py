"""The synchronous client."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, TypeVar

from . import _types as types
from ._batch import split_batch
from ._errors import BadRequestError, BrickmarkError, RateLimit
from ._pages import Page, Pages
from ._transport import RequestEvent, ResponseEvent, Result, Transport
from ._types import ENDPOINTS

T = TypeVar("T")


class Brickmark:
    """Client for the Brickmark API. Methods match the operation IDs in the API reference.

    It may be used from several threads at once. All arguments are optional:

    - `api_key`: your API key, `bmk_live_…`. Defaults to the environment variable `BRICKMARK_API_KEY`.
    - `base_url`: API base URL, ending in `/api/v1`. Defaults to `BRICKMARK_BASE_URL`, then to localhost.
    - `timeout`: seconds to wait for the service, per attempt.
    - `max_retries`: how often a request is retried after a timeout, a lost connection, a 5xx, or a 429 with a short wait.
    - `retry_maybe_charged`: whether to retry requests that may have been charged, which may cost credits again.
    - `max_retry_after`: longest `Retry-After` to wait for, in seconds. Longer waits raise immediately.
    - `headers`: headers to send with every request.
    - `ssl_context`: for private certificate authorities.
    - `on_request`, `on_response`: called before and after every attempt, e.g. for logging.
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
        self._transport = Transport(
            api_key=api_key,
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

    def _send(self, operation: str, **parameters: object) -> Result[Any]:
        method, path = ENDPOINTS[operation]
        return self._transport.send(method, path, parameters)

    def get_set(self, number: str) -> Result[types.Set]:
        """Get a set and its values. Costs 1 credit."""
        return self._send("getSet", number=_text("get_set", number, "90341-1"))

    def get_minifig(self, number: str) -> Result[types.Minifig]:
        """Get a minifig and its value. Costs 1 credit."""
        return self._send("getMinifig", number=_text("get_minifig", number, "hbr001"))

    def search_sets(self, q: str) -> Pages[types.SetSearchResult]:
        """Search sets by number or name. Results have no values. Costs 1 credit per 250 results."""
        return self._list("searchSets", "results", q=_text("search_sets", q, "lighthouse"))

    def search_minifigs(self, q: str) -> Pages[types.MinifigSearchResult]:
        """Search minifigs by number or name. Results have no values. Costs 1 credit per 250 results."""
        return self._list("searchMinifigs", "results", q=_text("search_minifigs", q, "keeper"))

    def list_themes(self) -> list[types.Theme]:
        """List all themes with their set counts. Costs 1 credit."""
        themes: list[types.Theme] = self._send("listThemes").data["themes"]
        return themes

    def get_batch(self, sets: Iterable[str] = (), minifigs: Iterable[str] = ()) -> Result[types.BatchData]:
        """Get any number of sets and minifigs. Costs 1 credit per unique item, found or not.

        Use `get_batches` to receive results as they arrive, so that nothing is lost if you hit your quota.
        """
        data: types.BatchData = {"sets": [], "minifigs": [], "summary": {"requested": 0, "found": 0}}
        last: Result[types.BatchData] | None = None
        for last in self.get_batches(sets, minifigs):
            data["sets"] += last.data["sets"]
            data["minifigs"] += last.data["minifigs"]
            data["summary"]["requested"] += last.data["summary"]["requested"]
            data["summary"]["found"] += last.data["summary"]["found"]
        if last is None:
            raise BadRequestError("BadRequest", "Pass at least one number in `sets` or `minifigs`.")
        return Result(data, last.meta, last.response)

    def get_batches(
        self, sets: Iterable[str] = (), minifigs: Iterable[str] = ()
    ) -> Iterator[Result[types.BatchData]]:
        """Like `get_batch`, but yields results in chunks of 100."""
        for batch in split_batch(sets, minifigs):
            yield self._send("getBatch", **batch)

    def get_set_history(
        self, number: str, *, condition: Literal["sealed", "used"] | None = None
    ) -> Result[types.SetHistory]:
        """Get the monthly value history of a set (finalized months only). Costs 1 credit."""
        return self._send("getSetHistory", number=_text("get_set_history", number, "90341-1"), condition=condition)

    def get_set_retail_prices(self, number: str) -> Result[types.RetailWatchRow | None]:
        """Get live retailer prices of a set, or None if none are tracked. Costs 1 credit."""
        return self._send("getSetRetailPrices", number=_text("get_set_retail_prices", number, "90341-1"))

    def find_retail_prices(
        self, *, set: str | None = None, asin: str | None = None, upc: str | None = None
    ) -> Result[types.RetailWatchRow | None]:
        """Get live retailer prices by set number, ASIN or barcode. Costs 1 credit."""
        return self._send("findRetailPrices", set=set, asin=asin, upc=upc)

    def watch_retail_prices(
        self,
        *,
        changed_within: str | None = None,
        since: str | None = None,
        asin: str | None = None,
        upc: str | None = None,
    ) -> list[types.RetailWatchRow]:
        """List live retailer prices for the sets you own, optionally only recent changes. Costs 1 credit."""
        rows: list[types.RetailWatchRow] = self._send(
            "watchRetailPrices", changed_within=changed_within, since=since, asin=asin, upc=upc
        ).data
        return rows

    def list_brickfolios(self) -> Result[types.BrickfoliosData]:
        """List your collections with totals, and purchases by month. Costs 1 credit."""
        return self._send("listBrickfolios")

    def get_analytics(self, *, period: Literal["30d", "90d", "1y"] | None = None) -> Result[types.Analytics]:
        """Get your portfolio value over time. Costs 1 credit."""
        return self._send("getAnalytics", period=period)

    def list_entries(self, *, brickfolio_id: int | None = None) -> Pages[types.Holding]:
        """List your lots with current values: the cheapest way to value a collection. Costs 1 credit per 250."""
        return self._list("listEntries", "entries", brickfolio_id=brickfolio_id)

    def list_sales(self) -> Pages[types.Sale]:
        """List your sales, newest first. Costs 1 credit per 250."""
        return self._list("listSales", "sales")

    def get_rate_limit(self) -> RateLimit:
        """Get your remaining quota. Free: sends a request that fails validation and reads the rate-limit headers."""
        try:
            return self._send("searchSets", q="").meta.rate_limit
        except BrickmarkError as error:
            if error.code == "BadRequest" and error.rate_limit is not None:
                return error.rate_limit
            raise

    def _list(self, operation: str, name: str, **parameters: object) -> Pages[Any]:
        def fetch(limit: int, offset: int) -> Page[Any]:
            result = self._send(operation, **parameters, limit=limit, offset=offset)
            pagination = result.data["pagination"]
            return Page(
                result.data[name], pagination["total"], pagination["has_more"], result.meta, result.response
            )

        return Pages(fetch)


def _text(method: str, value: object, example: str) -> str:
    """Catches calls that would ask for the set "None"."""
    if isinstance(value, str) and value.strip():
        return value
    got = "an empty string" if value == "" else type(value).__name__
    raise TypeError(f'{method} needs a string, e.g. {method}("{example}"), but got {got}.')

"""The synchronous client."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from . import _operations as operations
from . import _types as types
from ._attempts import Attempts
from ._batch import merge_batches, split_batch
from ._errors import BrickmarkError, RateLimit
from ._exports import RowReader, build_parts, find_export
from ._operations import Call
from ._options import Options, RequestEvent, ResponseEvent, resolve_api_key, resolve_base_url
from ._pages import Pages
from ._pool import Pool
from ._request import Request, build_operation, build_request
from ._response import Response, Result, parse_part, parse_response

if TYPE_CHECKING:
    from types import TracebackType

T = TypeVar("T")


class Brickmark:
    """Client for the Brickmark API. Methods match the operation IDs in the API reference.

    It may be used from several threads at once. Its connections are kept open for the next requests: use it as
    `with Brickmark() as brickmark`, or call `close()`. All arguments are optional:

    - `api_key`: your API key, `bmk_live_…`. Defaults to the environment variable `BRICKMARK_API_KEY`.
    - `base_url`: API base URL, ending in `/api/v1`. Defaults to the environment variable `BRICKMARK_BASE_URL`.
    - `timeout`: seconds to wait for a response, per attempt.
    - `max_retries`: how often a request is retried after a timeout, a lost connection, a 5xx, or a 429 with a short
      wait.
    - `retry_maybe_charged`: whether to retry requests that may have been charged, which may cost credits again.
    - `max_retry_after`: longest `Retry-After` to wait for, in seconds. Longer waits raise immediately.
    - `headers`: headers to send with every request.
    - `ssl_context`: for private certificate authorities.
    - `on_request`, `on_response`: called before and after every attempt, e.g. for logging.

    Proxies come from the environment: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.
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
        self._options = Options(
            api_key=resolve_api_key(api_key),
            base_url=resolve_base_url(base_url),
            timeout=timeout,
            max_retries=max_retries,
            retry_maybe_charged=retry_maybe_charged,
            max_retry_after=max_retry_after,
            headers=headers or {},
            on_request=on_request,
            on_response=on_response,
        )
        self._pool = Pool(ssl_context)

    def with_options(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        retry_maybe_charged: bool | None = None,
        max_retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
        on_request: Callable[[RequestEvent], None] | None = None,
        on_response: Callable[[ResponseEvent], None] | None = None,
    ) -> Brickmark:
        """Returns a client with other options that shares the connections of this one. Headers are added."""
        copy = object.__new__(type(self))
        copy._pool = self._pool
        copy._options = self._options.override(
            headers,
            api_key=api_key,
            base_url=base_url and base_url.rstrip("/"),
            timeout=timeout,
            max_retries=max_retries,
            retry_maybe_charged=retry_maybe_charged,
            max_retry_after=max_retry_after,
            on_request=on_request,
            on_response=on_response,
        )
        return copy

    def __enter__(self) -> Brickmark:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections, also those of clients made by `with_options`."""
        self._pool.close()

    def request(
        self, method: str, path: str, *, query: Mapping[str, object] | None = None, body: object = None
    ) -> Result[Any]:
        """Sends any request, e.g. to an endpoint that is newer than this version: `request("GET", "/catalog/themes")`.

        `path` is relative to the base URL, unless it starts with `/api/`.
        """
        return self._send_request(build_request(self._options, method, path, query=query, body=body))

    def _send(self, call: Call[T]) -> T:
        return call.unwrap(self._send_request(build_operation(self._options, call.operation, call.parameters)))

    def _send_request(
        self, request: Request, parse: Callable[[Response, str], Result[Any]] = parse_response
    ) -> Result[Any]:
        attempts = Attempts(self._options, request)
        while True:
            attempts.start()
            try:
                result = parse(self._pool.send(request), self._options.base_url)
            except BrickmarkError as error:
                wait = attempts.fail(error)
                if wait is None:
                    raise
            else:
                attempts.succeed(result.response.status, result.meta.request_id)
                return result
            time.sleep(wait)

    def get_set(self, number: str) -> Result[types.Set]:
        """Get a set and its values. Costs 1 credit."""
        return self._send(operations.get_set(number))

    def get_minifig(self, number: str) -> Result[types.Minifig]:
        """Get a minifig and its value. Costs 1 credit."""
        return self._send(operations.get_minifig(number))

    def search_sets(self, q: str) -> Pages[types.SetSearchResult]:
        """Search sets by number or name. Results have no values. Costs 1 credit per 250 results."""
        page = operations.search_sets(q)
        return Pages(lambda limit, offset: self._send(page(limit, offset)))

    def search_minifigs(self, q: str) -> Pages[types.MinifigSearchResult]:
        """Search minifigs by number or name. Results have no values. Costs 1 credit per 250 results."""
        page = operations.search_minifigs(q)
        return Pages(lambda limit, offset: self._send(page(limit, offset)))

    def list_themes(self) -> list[types.Theme]:
        """List all themes with their set counts. Costs 1 credit."""
        return self._send(operations.list_themes())

    def get_batch(self, sets: Iterable[str] = (), minifigs: Iterable[str] = ()) -> Result[types.BatchData]:
        """Get any number of sets and minifigs. Costs 1 credit per unique item, found or not.

        Use `get_batches` to receive results as they arrive, so that nothing is lost if you hit your quota.
        """
        return merge_batches(list(self.get_batches(sets, minifigs)))

    def get_batches(self, sets: Iterable[str] = (), minifigs: Iterable[str] = ()) -> Iterator[Result[types.BatchData]]:
        """Like `get_batch`, but yields results in chunks of 100."""
        for batch in split_batch(sets, minifigs):
            yield self._send(operations.get_batch(batch))

    def get_set_history(self, number: str, *, condition: types.Condition | None = None) -> Result[types.SetHistory]:
        """Get the monthly value history of a set (finalized months only). Costs 1 credit."""
        return self._send(operations.get_set_history(number, condition))

    def get_set_retail_prices(self, number: str) -> Result[types.RetailWatchRow | None]:
        """Get live retailer prices of a set, or None if none are tracked. Costs 1 credit."""
        return self._send(operations.get_set_retail_prices(number))

    def find_retail_prices(
        self, *, set: str | None = None, asin: str | None = None, upc: str | None = None
    ) -> Result[types.RetailWatchRow | None]:
        """Get live retailer prices by set number, ASIN or barcode. Costs 1 credit."""
        return self._send(operations.find_retail_prices(set, asin, upc))

    def watch_retail_prices(
        self,
        *,
        changed_within: str | None = None,
        since: str | None = None,
        asin: str | None = None,
        upc: str | None = None,
    ) -> list[types.RetailWatchRow]:
        """List live retailer prices for the sets you own, optionally only recent changes. Costs 1 credit."""
        return self._send(operations.watch_retail_prices(changed_within, since, asin, upc))

    def list_brickfolios(self) -> Result[types.BrickfoliosData]:
        """List your collections with totals, and purchases by month. Costs 1 credit."""
        return self._send(operations.call("listBrickfolios"))

    def get_analytics(self, *, period: types.Period | None = None) -> Result[types.Analytics]:
        """Get your portfolio value over time. Costs 1 credit."""
        return self._send(operations.call("getAnalytics", period=period))

    def list_entries(self, *, brickfolio_id: int | None = None) -> Pages[types.Holding]:
        """List your lots with current values: the cheapest way to value a collection. Costs 1 credit per 250."""
        page = operations.list_entries(brickfolio_id)
        return Pages(lambda limit, offset: self._send(page(limit, offset)))

    def list_sales(self) -> Pages[types.Sale]:
        """List your sales, newest first. Costs 1 credit per 250."""
        page = operations.list_sales()
        return Pages(lambda limit, offset: self._send(page(limit, offset)))

    def list_sets(
        self,
        *,
        q: str | None = None,
        theme: str | None = None,
        year_from: int | None = None,
        year_to: int | None = None,
        status_id: int | None = None,
    ) -> Pages[types.SetSearchResult]:
        """List sets by theme, year and status, in the order of their numbers. Costs 1 credit per 250."""
        page = operations.list_sets(q, theme, year_from, year_to, status_id)
        return Pages(lambda limit, offset: self._send(page(limit, offset)))

    def list_lots(
        self,
        *,
        collection_id: int | None = None,
        set_number: str | None = None,
        condition: types.Condition | None = None,
        status: types.Status | None = None,
    ) -> Pages[types.Lot]:
        """List your lots with IDs and notes, in the order they were added. Costs 1 credit per 250."""
        page = operations.list_lots(collection_id, set_number, condition, status)
        return Pages(lambda limit, offset: self._send(page(limit, offset)))

    def find_sales(
        self,
        *,
        from_date: str | None = None,
        to_date: str | None = None,
        set_number: str | None = None,
        platform: types.Platform | None = None,
    ) -> Pages[types.Sale]:
        """List your sales by date, set and platform, newest first. Costs 1 credit per 250."""
        page = operations.find_sales(from_date, to_date, set_number, platform)
        return Pages(lambda limit, offset: self._send(page(limit, offset)))

    def list_changes(self, *, after: str | None = None, limit: int | None = None) -> Result[types.ChangesData]:
        """List which sets and minifigs changed since an earlier call: pass its `next` as `after`.

        Without `after`, you get the current position. Costs 1 credit per 1,000 changes.
        """
        return self._send(operations.call("listChanges", after=after, limit=limit))

    def list_alerts(self) -> Pages[types.Alert]:
        """List your alerts, latest first. Costs 1 credit per 250."""
        page = operations.list_alerts()
        return Pages(lambda limit, offset: self._send(page(limit, offset)))

    def list_exports(self) -> Result[types.ExportsData]:
        """List the files with all sets, minifigs and histories, which are written every night. Costs 1 credit."""
        return self._send(operations.call("listExports"))

    def read_export(self, dataset: str) -> Iterator[dict[str, Any]]:
        """Read all "sets", "minifigs" or "history" while they are downloaded. Costs 1 credit, plus 1 per MiB."""
        reader = RowReader()
        for request in build_parts(self._options, find_export(self.list_exports().data, dataset)):
            yield from reader.feed(self._send_request(request, parse_part).data)

    def get_usage(self, *, days: int | None = None) -> Result[types.UsageData]:
        """Get what your key has used, by day and endpoint. Free."""
        return self._send(operations.call("getUsage", days=days))

    def get_rate_limit(self) -> RateLimit:
        """Get your remaining quota. Free. A server without extensions is sent a request that fails validation."""
        try:
            return (self._send(operations.call("getUsage", days=1))).meta.rate_limit
        except BrickmarkError as error:
            if not operations.lacks_extensions(error):
                raise
        try:
            return (self._send(operations.call("searchSets", q=""))).meta.rate_limit
        except BrickmarkError as error:
            return operations.rate_limit_of(error)

"""The operations of the API: their parameters, and what they return. Both clients send them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from . import _types as types
from ._errors import BrickmarkError, RateLimit
from ._pages import Page
from ._response import Result

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """An operation with its parameters. `unwrap` turns its result into what the method returns."""

    operation: str
    parameters: Mapping[str, object]
    unwrap: Callable[[Result[Any]], T]


def call(operation: str, **parameters: object) -> Call[Result[Any]]:
    """An operation that returns its result as it is."""
    return Call(operation, parameters, lambda result: result)


def get_set(number: str) -> Call[Result[types.Set]]:
    return call("getSet", number=_text("get_set", number, "90341-1"))


def get_minifig(number: str) -> Call[Result[types.Minifig]]:
    return call("getMinifig", number=_text("get_minifig", number, "hbr001"))


def search_sets(q: str) -> Callable[[int, int], Call[Page[types.SetSearchResult]]]:
    return _paginated("searchSets", "results", q=_text("search_sets", q, "lighthouse"))


def search_minifigs(q: str) -> Callable[[int, int], Call[Page[types.MinifigSearchResult]]]:
    return _paginated("searchMinifigs", "results", q=_text("search_minifigs", q, "keeper"))


def list_themes() -> Call[list[types.Theme]]:
    def unwrap(result: Result[types.ThemesData]) -> list[types.Theme]:
        return result.data["themes"]

    return Call("listThemes", {}, unwrap)


def get_batch(batch: Mapping[str, list[str]]) -> Call[Result[types.BatchData]]:
    return call("getBatch", **batch)


def get_set_history(number: str, condition: types.Condition | None) -> Call[Result[types.SetHistory]]:
    return call("getSetHistory", number=_text("get_set_history", number, "90341-1"), condition=condition)


def get_set_retail_prices(number: str) -> Call[Result[types.RetailWatchRow | None]]:
    return call("getSetRetailPrices", number=_text("get_set_retail_prices", number, "90341-1"))


def find_retail_prices(
    set_number: str | None, asin: str | None, upc: str | None
) -> Call[Result[types.RetailWatchRow | None]]:
    if set_number is None and asin is None and upc is None:
        raise TypeError('find_retail_prices needs set, asin or upc, e.g. find_retail_prices(set="90341-1").')
    return call("findRetailPrices", set=set_number, asin=asin, upc=upc)


def watch_retail_prices(
    changed_within: str | None, since: str | None, asin: str | None, upc: str | None
) -> Call[list[types.RetailWatchRow]]:
    def unwrap(result: Result[list[types.RetailWatchRow]]) -> list[types.RetailWatchRow]:
        return result.data

    parameters = {"changed_within": changed_within, "since": since, "asin": asin, "upc": upc}
    return Call("watchRetailPrices", parameters, unwrap)


def list_entries(brickfolio_id: int | None) -> Callable[[int, int], Call[Page[types.Holding]]]:
    return _paginated("listEntries", "entries", brickfolio_id=brickfolio_id)


def list_sales() -> Callable[[int, int], Call[Page[types.Sale]]]:
    return _paginated("listSales", "sales")


def list_alerts() -> Callable[[int, int], Call[Page[types.Alert]]]:
    return _paginated("listAlerts", "alerts")


def list_sets(
    q: str | None, theme: str | None, year_from: int | None, year_to: int | None, status_id: int | None
) -> Callable[[int, int], Call[Page[types.SetSearchResult]]]:
    return _paginated("listSets", "sets", q=q, theme=theme, year_from=year_from, year_to=year_to, status_id=status_id)


def list_lots(
    collection_id: int | None,
    set_number: str | None,
    condition: types.Condition | None,
    status: types.Status | None,
) -> Callable[[int, int], Call[Page[types.Lot]]]:
    return _paginated(
        "listLots",
        "lots",
        collection_id=collection_id,
        set_number=set_number,
        condition=condition,
        status=status,
    )


def find_sales(
    from_date: str | None, to_date: str | None, set_number: str | None, platform: types.Platform | None
) -> Callable[[int, int], Call[Page[types.Sale]]]:
    parameters = {"from": from_date, "to": to_date, "set_number": set_number, "platform": platform}
    return _paginated("findSales", "sales", **parameters)


def lacks_extensions(error: BrickmarkError) -> bool:
    """Whether a server is older than the endpoint that it was asked for."""
    return error.code == "NotFound"


def rate_limit_of(error: BrickmarkError) -> RateLimit:
    """Returns the quota from the rejection of a request that was meant to fail; raises any other error."""
    if error.code == "BadRequest" and error.rate_limit is not None:
        return error.rate_limit
    raise error


def _paginated(operation: str, name: str, **parameters: object) -> Callable[[int, int], Call[Page[Any]]]:
    """An operation that the API paginates: returns the call of a page."""

    def unwrap(result: Result[Any]) -> Page[Any]:
        pagination = result.data["pagination"]
        items = result.data[name]
        return Page(items, pagination["total"], pagination["has_more"], result.meta, result.response)

    return lambda limit, offset: Call(operation, {**parameters, "limit": limit, "offset": offset}, unwrap)


def _text(method: str, value: object, example: str) -> str:
    """Catches calls that would ask for the set "None"."""
    if isinstance(value, str) and value.strip():
        return value
    got = "an empty string" if value == "" else type(value).__name__
    raise TypeError(f'{method} needs a string, e.g. {method}("{example}"), but got {got}.')

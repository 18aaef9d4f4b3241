"""Types of the API. Generated from apps/api/openapi.json by `npm run generate`."""

from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

SDK_VERSION = "0.9.0"

ENDPOINTS: dict[str, tuple[str, str]] = {
    "getSet": ("GET", "/set/{number}"),
    "getMinifig": ("GET", "/minifig/{number}"),
    "searchSets": ("GET", "/catalog/sets/search"),
    "searchMinifigs": ("GET", "/catalog/minifigs/search"),
    "listThemes": ("GET", "/catalog/themes"),
    "getBatch": ("POST", "/catalog/batch"),
    "getSetHistory": ("GET", "/set/{number}/history"),
    "getSetRetailPrices": ("GET", "/set/{number}/retail-prices"),
    "findRetailPrices": ("GET", "/retail-prices"),
    "watchRetailPrices": ("GET", "/brickfolio/retail-watch"),
    "listBrickfolios": ("GET", "/brickfolio"),
    "getAnalytics": ("GET", "/brickfolio/analytics"),
    "listEntries": ("GET", "/brickfolio/entries"),
    "listSales": ("GET", "/salesledger"),
}


class Analytics(TypedDict):
    """The portfolio now and how it came there."""

    period: Literal["30d", "90d", "1y"]
    """The period asked for."""
    summary: AnalyticsSummary
    value_history: list[ValuePoint]
    """Ascending; the last point is now."""


class AnalyticsSummary(TypedDict):
    """What is held now, over all collections."""

    total_sets: int
    """Distinct sets held."""
    total_items: int
    """Units held."""
    total_cost_basis_usd: float
    """Known cost of the units held. Units without a value are left out."""
    total_current_value_usd: float
    """Known value of the units held."""
    unrealized_gain_loss_usd: float
    """Value less cost of the units whose value and cost are known."""
    unrealized_gain_loss_pct: float
    """Gain in percent of the cost; 0 when there is no cost."""
    top_gainer: Union[TopGainer, None]
    top_loser: Union[TopLoser, None]


class Barcodes(TypedDict):
    """The codes on the box."""

    upc: Union[str, None]
    """UPC, 12 digits."""
    ean: Union[str, None]
    """EAN, 13 digits."""


class BatchData(TypedDict):
    """The items of a batch."""

    sets: list[Union[FoundSet, MissingSet]]
    """In order of first appearance."""
    minifigs: list[Union[FoundMinifig, MissingMinifig]]
    """In order of first appearance."""
    summary: BatchSummary


class BatchRequest(TypedDict, total=False):
    """At least one number; at most 100 different ones in all."""

    sets: list[str]
    """Set numbers."""
    minifigs: list[str]
    """Minifig numbers."""


class BatchSummary(TypedDict):
    """What was asked for and what was found."""

    requested: int
    """Different numbers asked for."""
    found: int
    """How many of them exist."""


class Box(TypedDict):
    """Size and weight of the box."""

    width_in: Union[float, None]
    """Width in inches."""
    height_in: Union[float, None]
    """Height in inches."""
    depth_in: Union[float, None]
    """Depth in inches."""
    weight_lbs: Union[float, None]
    """Weight in pounds."""


class BrickfolioSummary(TypedDict):
    """A collection and what it is worth now."""

    id: int
    """Identifier of the collection."""
    name: str
    """Name."""
    description: Union[str, None]
    """Description."""
    is_default: bool
    """Whether new holdings go here."""
    owned_set_count: int
    """Distinct sets held."""
    owned_item_count: int
    """Units held."""
    total_cost_basis_usd: float
    """Known cost of the units held. Units without a value are left out."""
    total_current_value_usd: float
    """Known value of the units held."""
    unrealized_gain_loss_usd: float
    """Value less cost of the units whose value and cost are known."""
    created_at: str
    """When the collection was made."""


class BrickfoliosData(TypedDict):
    """Collections, and what is held by month of purchase."""

    brickfolios: list[BrickfolioSummary]
    """The default one first, then by id."""
    monthly_periods: list[MonthlyPeriod]
    """Ascending by month."""


class EntriesData(TypedDict):
    """One page of holdings."""

    entries: list[Holding]
    """By collection, then in the order they were recorded."""
    pagination: Pagination


class _FoundMinifigAlways(TypedDict):
    minifig_number: str
    """Number in a third-party marketplace catalog."""
    name: str
    """Name."""
    category: Union[str, None]
    """Category."""
    year_released: Union[int, None]
    """Year of the first release."""
    image_url: Union[str, None]
    """Picture."""
    current_value_usd: Union[float, None]
    """Computed market value."""
    value_range: MinifigValueRange
    set_count: int
    """In how many sets it appears."""
    sets: list[str]
    """Numbers of those sets."""
    found: Literal[True]
    """Whether it exists."""


class FoundMinifig(_FoundMinifigAlways, total=False):
    """A minifig that exists."""

    color: str
    """Main colour; left out when it is not known."""


class FoundSet(TypedDict):
    """A set that exists."""

    set_number: str
    """Canonical set number."""
    title: str
    """Title."""
    theme: str
    """Theme."""
    subtheme: Union[str, None]
    """Subtheme."""
    pieces: Union[int, None]
    """Number of pieces."""
    minifigs_count: int
    """Number of minifigs in the box, duplicates counted."""
    minifigs: list[str]
    """Numbers of the distinct minifigs."""
    barcodes: Barcodes
    msrp_usd: Union[float, None]
    """Recommended retail price."""
    release_date: Union[str, None]
    """First day on the shelves."""
    retire_date: Union[str, None]
    """The day on which it was retired; null while it is not."""
    status_id: int
    """1 upcoming, 2 available, 3 retiring soon, 4 retired."""
    data_tier: str
    """How well the value is founded: `market`, `thin`, `modelled` or `none`. An open list: expect new words."""
    image_url: Union[str, None]
    """Picture of the set."""
    new_value_usd: Union[float, None]
    """Computed value of a sealed copy."""
    used_value_usd: Union[float, None]
    """Computed value of a used copy."""
    value_range: ValueRange
    retailers: list[RetailerSummary]
    """What the retailers ask now."""
    box: Box
    found: Literal[True]
    """Whether it exists."""


class HistoryPoint(TypedDict):
    """One finalized month. It never changes again."""

    month: str
    """Year and month."""
    value_usd: Union[float, None]
    """Value at the end of the month; null when too few sales told it."""
    range_low: Union[float, None]
    """Lower end of the 80 % range; null in a month of few sales."""
    range_high: Union[float, None]
    """Upper end of the 80 % range; null in a month of few sales."""
    sales_count: Union[int, None]
    """Units sold; null in a month of few sales."""
    event: Union[str, None]
    """What happened to the set that month: `released`, `retiring_soon`, `retired`, `rereleased`, or null."""


class _HoldingAlways(TypedDict):
    brickfolio_id: int
    """Collection it belongs to."""
    set_number: str
    """Set number."""
    title: str
    """Title of the set."""
    theme: str
    """Theme of the set."""
    quantity: int
    """Units held."""
    condition: str
    """`sealed` or `used`."""
    status: str
    """`owned`, or `listed` while it is offered for sale."""
    current_value_usd: Union[float, None]
    """Computed value of a unit; null when there is none."""
    total_current_value_usd: Union[float, None]
    """Quantity times value."""
    unrealized_gain_loss_usd: Union[float, None]
    """Value less cost."""
    unrealized_gain_loss_pct: Union[float, None]
    """Gain in percent of the cost; 0 for a gift."""


class Holding(_HoldingAlways, total=False):
    """Units of a set bought together and held now. Without a value, the last four are null; without a price, the last two."""

    purchase_price_usd: float
    """Price paid a unit; 0 for a gift. Left out if unknown."""
    purchase_date: str
    """Day of the purchase. Left out if unknown."""


class Meta(TypedDict):
    """About this answer."""

    request_id: str
    """Name of this request; also in `X-Request-Id`."""
    api_version: Literal["1"]
    """Version of the contract."""
    rate_limit: RateLimit


class _MinifigAlways(TypedDict):
    minifig_number: str
    """Number in a third-party marketplace catalog."""
    name: str
    """Name."""
    category: Union[str, None]
    """Category."""
    year_released: Union[int, None]
    """Year of the first release."""
    image_url: Union[str, None]
    """Picture."""
    current_value_usd: Union[float, None]
    """Computed market value."""
    value_range: MinifigValueRange
    set_count: int
    """In how many sets it appears."""
    sets: list[str]
    """Numbers of those sets."""


class Minifig(_MinifigAlways, total=False):
    """A minifig with its computed market value. Unknown is null."""

    color: str
    """Main colour; left out when it is not known."""


class MinifigSearchData(TypedDict):
    """One page of minifigs."""

    results: list[MinifigSearchResult]
    """The best match first."""
    pagination: Pagination


class MinifigSearchResult(TypedDict):
    """What identifies a minifig. Its value comes from `GET /minifig/{number}`."""

    minifig_number: str
    """Number in a third-party marketplace catalog."""
    name: str
    """Name."""
    category: Union[str, None]
    """Category."""
    year_released: Union[int, None]
    """Year of the first release."""
    image_url: Union[str, None]
    """Picture."""


class MinifigValueRange(TypedDict):
    """Where the next sale is expected to lie, with 80 % probability."""

    low: Union[float, None]
    """Lower end."""
    high: Union[float, None]
    """Upper end."""


class MissingMinifig(TypedDict):
    """A minifig that does not exist."""

    minifig_number: str
    """The number as asked for."""
    found: Literal[False]
    """Whether it exists."""


class MissingSet(TypedDict):
    """A set that does not exist."""

    set_number: str
    """The number as asked for."""
    found: Literal[False]
    """Whether it exists."""


class MonthlyPeriod(TypedDict):
    """What is held now, by month of purchase, over all collections. Purchases of an unknown date are left out."""

    month: str
    """Year and month of purchase."""
    entry_count: int
    """Purchases of that month that are still held."""
    items: int
    """Units of them."""
    cost_basis_usd: Union[float, None]
    """Known cost, including units without a value; null if no cost is known."""


class Pagination(TypedDict):
    """Where this page lies in the whole list."""

    total: int
    """How many there are in all."""
    limit: int
    """How many were asked for."""
    offset: int
    """How many were skipped."""
    has_more: bool
    """Whether a next page exists: ask again with `offset` + `limit`."""


class PriceBlock(TypedDict):
    """The price of a set at one retailer, and how it moved."""

    price: Union[float, None]
    """Price now; null while it is out of stock or not known."""
    sellerType: Union[str, None]
    """Who sells: `retailer` (the retailer itself) or `third_party` (only others). An open list."""
    changedAt: Union[str, None]
    """Since when the last known price holds; null before the first change."""
    lastChange: Union[float, None]
    """The last known price minus the one before."""
    flip1pTo3p: bool
    """The retailer stopped selling it itself, and others still do."""
    atLowest: bool
    """Whether `price` equals `lowest`."""
    lowest: Union[float, None]
    """The lowest price since tracking began."""
    inStock: Union[bool, None]
    """Whether it can be bought now."""


class RateLimit(TypedDict):
    """What is left of the day."""

    limit: int
    """Daily allowance of the key."""
    remaining: int
    """Units left before the reset."""
    reset: str
    """When the allowance resets: the next midnight UTC."""


class RetailExit(TypedDict, total=False):
    """What selling the set at retailer_a would bring. Unknown fields are left out."""

    lowestFba: float
    """Lowest offer fulfilled by the retailer."""
    fbaSellers: int
    """How many sellers offer so; 0 if none does."""
    buyBox: float
    """Price in the buy box."""
    netFba: float
    """What would be left after referral and fulfilment fees."""


class _RetailWatchRowAlways(TypedDict):
    setNumber: str
    """Set number."""
    name: str
    """Title of the set."""
    ean: Union[str, None]
    """EAN, 13 digits."""
    retailer_a: PriceBlock
    retailer_b: PriceBlock
    retailer_aExit: RetailExit


class RetailWatchRow(_RetailWatchRowAlways, total=False):
    """Live prices of one set at both retailers."""

    asin: str
    """Product identifier at retailer_a; left out if unknown."""
    upc: str
    """UPC, 12 digits; left out if unknown."""
    paid: float
    """What the caller paid a unit, on average, for the units held."""


class RetailerSummary(TypedDict):
    """What one retailer asks for a set."""

    retailer: str
    """Which retailer: `retailer_a` or `retailer_b`."""
    retailer_name: str
    """Its name."""
    current_price: Union[float, None]
    """The last price that was seen: the price now, unless `in_stock` is false. Null if none was ever seen."""
    list_price: Union[float, None]
    """The retailer's list price, or the recommended retail price if it shows none. Null if neither is known."""
    discount_percent: Union[float, None]
    """How far the price lies under the list price; negative above it."""
    in_stock: bool
    """Whether it can be bought now."""
    is_first_party: bool
    """Whether the retailer itself sells it."""
    product_url: str
    """Where to buy it."""
    last_checked_at: str
    """When the price was last seen."""


class Sale(TypedDict):
    """A sale the account has recorded."""

    id: int
    """Identifier of the sale."""
    set_number: str
    """Set number."""
    title: str
    """Title of the set."""
    platform: str
    """Where it was sold: `ebay`, `bricklink`, `amazon`, `walmart`, `facebook`, `mercari`, `whatnot`, `local` or `other`. An open list."""
    sale_date: str
    """Day of the sale."""
    quantity: int
    """Units sold."""
    gross_proceeds_usd: float
    """What the buyer paid."""
    platform_fees_usd: float
    """Fees of the platform."""
    payment_fees_usd: float
    """Fees of the payment."""
    shipping_cost_usd: float
    """What shipping cost the seller."""
    net_proceeds_usd: float
    """Gross less fees and shipping."""
    profit_loss_usd: Union[float, None]
    """Net less the cost of the units; null when that is not known."""
    roi_pct: Union[float, None]
    """Profit in percent of the cost; null when the cost is not known or 0."""


class SalesData(TypedDict):
    """One page of sales."""

    sales: list[Sale]
    """The newest first."""
    pagination: Pagination


class Set(TypedDict):
    """A set with its computed market values. Every key is always present; unknown is null."""

    set_number: str
    """Canonical set number."""
    title: str
    """Title."""
    theme: str
    """Theme."""
    subtheme: Union[str, None]
    """Subtheme."""
    pieces: Union[int, None]
    """Number of pieces."""
    minifigs_count: int
    """Number of minifigs in the box, duplicates counted."""
    minifigs: list[str]
    """Numbers of the distinct minifigs."""
    barcodes: Barcodes
    msrp_usd: Union[float, None]
    """Recommended retail price."""
    release_date: Union[str, None]
    """First day on the shelves."""
    retire_date: Union[str, None]
    """The day on which it was retired; null while it is not."""
    status_id: int
    """1 upcoming, 2 available, 3 retiring soon, 4 retired."""
    data_tier: str
    """How well the value is founded: `market`, `thin`, `modelled` or `none`. An open list: expect new words."""
    image_url: Union[str, None]
    """Picture of the set."""
    new_value_usd: Union[float, None]
    """Computed value of a sealed copy."""
    used_value_usd: Union[float, None]
    """Computed value of a used copy."""
    value_range: ValueRange
    retailers: list[RetailerSummary]
    """What the retailers ask now."""
    box: Box


class SetHistory(TypedDict):
    """The finalized months of a set."""

    set_number: str
    """Canonical set number."""
    condition: Literal["sealed", "used"]
    """The condition asked for."""
    history: list[HistoryPoint]
    """Ascending by month."""


class SetSearchData(TypedDict):
    """One page of sets."""

    results: list[SetSearchResult]
    """The best match first."""
    pagination: Pagination


class SetSearchResult(TypedDict):
    """What identifies a set. Values come from `GET /set/{number}`."""

    set_number: str
    """Canonical set number."""
    title: str
    """Title."""
    theme: Union[str, None]
    """Theme."""
    subtheme: Union[str, None]
    """Subtheme."""
    pieces: Union[int, None]
    """Number of pieces."""
    year: Union[int, None]
    """Year of release."""
    retired: bool
    """Whether it is retired."""
    image_url: Union[str, None]
    """Picture of the set."""


class Theme(TypedDict):
    """A theme of the catalog."""

    theme: str
    """Name of the theme."""
    set_count: int
    """How many sets it has."""


class ThemesData(TypedDict):
    """All themes."""

    themes: list[Theme]
    """A–Z."""


class TopGainer(TypedDict):
    """The holding that gained most by percentage, among those that cost $5 or more."""

    set_number: Union[str, None]
    """Set number."""
    title: Union[str, None]
    """Title of the set."""
    gain_pct: Union[float, None]
    """Gain in percent of its cost."""


class TopLoser(TypedDict):
    """The holding that lost most by percentage, among those that cost $5 or more."""

    set_number: Union[str, None]
    """Set number."""
    title: Union[str, None]
    """Title of the set."""
    loss_pct: Union[float, None]
    """Loss in percent of its cost, as a negative number."""


class ValuePoint(TypedDict):
    """The portfolio on one day. Units without a value that day are left out; units of an unknown purchase date count as held all along."""

    date: str
    """Day."""
    total_value_usd: float
    """Value of what was held."""
    cost_basis_usd: float
    """Known cost of the same units."""
    gain_loss_usd: float
    """Value less cost of the units whose value and cost are known."""
    gain_loss_pct: float
    """Gain in percent of the cost; 0 when there is no cost."""


class ValueRange(TypedDict):
    """Where the next sale of a sealed copy is expected to lie, with 80 % probability."""

    low: Union[float, None]
    """Lower end."""
    high: Union[float, None]
    """Upper end."""
    calculated_at: Union[str, None]
    """When the value was computed."""

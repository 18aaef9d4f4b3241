"""Types of the API. Generated from apps/api/openapi.json and extensions.openapi.json by `npm run generate`."""

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
    "getUsage": ("GET", "/api/extensions/v1/usage"),
    "listChanges": ("GET", "/api/extensions/v1/changes"),
    "listSets": ("GET", "/api/extensions/v1/sets"),
    "listLots": ("GET", "/api/extensions/v1/lots"),
    "findSales": ("GET", "/api/extensions/v1/sales"),
    "listAlerts": ("GET", "/api/extensions/v1/alerts"),
    "listExports": ("GET", "/api/extensions/v1/exports"),
}

RETRYABLE_STATUSES = (429, 500, 503)
"""Statuses of the API that may be retried, and are free unless "X-Charged" is "maybe"."""

Condition = Literal["sealed", "used"]
"""Condition to return values for."""

Period = Literal["30d", "90d", "1y"]
"""Period to cover. Daily points for `30d` and `90d`, weekly for `1y`."""

Status = Literal["owned", "listed"]
"""Limit to one status."""

Platform = Literal["ebay", "bricklink", "amazon", "walmart", "facebook", "mercari", "whatnot", "local", "other"]
"""Limit to one platform."""


class Alert(TypedDict):
    """An alert of one of your rules, with the amounts it was about."""

    id: int
    """Alert ID."""
    created_at: str
    """When it was created."""
    kind: Union[Literal["price_at_most", "below_value", "return_at_least", "new_low", "sold_out", "back_in_stock", "third_party", "value_moved", "retiring_soon", "retired"], str]
    """Kind of the rule. New values may be added."""
    item: Literal["set", "minifig"]
    """What it is about."""
    number: str
    """Set or minifig number."""
    title: str
    """Title."""
    retailer: Union[str, None]
    """Name of the retailer; null if it isn’t about a price."""
    reason: str
    """Why there is an alert. The wording may change."""
    price_usd: Union[float, None]
    """Price at the time."""
    value_usd: Union[float, None]
    """Value at the time."""
    previous_usd: Union[float, None]
    """What it was before."""
    threshold_usd: Union[float, None]
    """Threshold of the rule, if it is an amount."""
    threshold_pct: Union[float, None]
    """Threshold of the rule, if it is a percentage."""
    actual_pct: Union[float, None]
    """What was compared with `threshold_pct`."""
    read: bool
    """Whether it has been read on the website."""


class AlertsData(TypedDict):
    """A page of alerts."""

    alerts: list[Alert]
    """Latest first."""
    pagination: Pagination


class Change(TypedDict):
    """That an item changed. Use `POST /catalog/batch` for what it is now."""

    kind: Union[Literal["value", "retail", "status"], str]
    """What changed: a value, a retail price or the status. New values may be added."""
    item: Literal["set", "minifig"]
    """Whether the number is of a set or of a minifig."""
    number: str
    """Number of the set or minifig."""
    changed_at: str
    """When it changed."""


class ChangesData(TypedDict):
    """A page of changes."""

    changes: list[Change]
    """Oldest first. An item may appear several times."""
    next: str
    """Position after these changes. Treat it as opaque."""
    has_more: bool
    """Whether there are more changes now."""


class EndpointUsage(TypedDict):
    """Requests to one endpoint."""

    endpoint: str
    """Path of the endpoint."""
    requests: int
    """Number of requests."""


class Error(TypedDict):
    """Error response."""

    error: dict[str, Any]
    """Error details."""


class Export(TypedDict):
    """A file with all rows of a dataset, as gzipped NDJSON."""

    dataset: Union[Literal["sets", "minifigs", "history"], str]
    """What a row is: a set, a minifig, or the history of a set. New values may be added."""
    file: str
    """File name."""
    path: str
    """Path to download it from."""
    created_at: str
    """The moment its rows were read."""
    rows: int
    """Number of rows."""
    bytes: int
    """Size, in bytes."""
    sha256: str
    """SHA-256 checksum, in hexadecimal."""


class ExportsData(TypedDict):
    """The latest exports."""

    exports: list[Export]
    """One file per dataset."""


class FoundSalesData(TypedDict):
    """A page of sales."""

    sales: list[Sale]
    """Newest first."""
    pagination: Pagination


class Lot(TypedDict):
    """Units of one set bought together. All fields are always present."""

    id: int
    """Lot ID. Stays the same when the lot is edited or moved."""
    collection_id: int
    """Collection ID."""
    collection: str
    """Name of the collection."""
    set_number: str
    """Set number."""
    title: str
    """Title of the set."""
    quantity: int
    """Number of units."""
    condition: Literal["sealed", "used"]
    """Condition of the units."""
    status: Union[Literal["owned", "listed"], str]
    """`listed` if it is for sale. New values may be added."""
    purchase_price_usd: Union[float, None]
    """Purchase price per unit; 0 for gifts, null if unknown."""
    purchase_date: Union[str, None]
    """Purchase date; null if unknown."""
    notes: Union[str, None]
    """Your notes."""
    value_usd: Union[float, None]
    """Estimated value per unit; null if unavailable."""
    total_value_usd: Union[float, None]
    """Estimated value of all units."""
    gain_usd: Union[float, None]
    """Value minus cost; null if either is unknown."""
    gain_pct: Union[float, None]
    """Gain as a percentage of cost; 0 for gifts."""


class LotsData(TypedDict):
    """A page of lots."""

    lots: list[Lot]
    """In the order they were added."""
    pagination: Pagination


class Meta(TypedDict):
    """Response metadata."""

    request_id: str
    """Unique request ID, also sent as `X-Request-Id`."""
    api_version: Literal["1"]
    """API version."""
    rate_limit: RateLimit


class Pagination(TypedDict):
    """Pagination details."""

    total: int
    """Total number of results."""
    limit: int
    """Page size."""
    offset: int
    """Offset of this page."""
    has_more: bool
    """Whether there are more results. Use `offset + limit` for the next page."""


class RateLimit(TypedDict):
    """Quota status after this request."""

    limit: int
    """Daily quota of this API key, in credits."""
    remaining: int
    """Credits remaining until the reset."""
    reset: str
    """When the quota resets (midnight UTC)."""


class Sale(TypedDict):
    """A recorded sale."""

    id: int
    """Sale ID."""
    set_number: str
    """Set number."""
    title: str
    """Title of the set."""
    platform: Union[Literal["ebay", "bricklink", "amazon", "walmart", "facebook", "mercari", "whatnot", "local", "other"], str]
    """Where it was sold. New values may be added."""
    sale_date: str
    """Sale date."""
    quantity: int
    """Units sold."""
    gross_proceeds_usd: float
    """Gross proceeds: what the buyer paid."""
    platform_fees_usd: float
    """Platform fees."""
    payment_fees_usd: float
    """Payment processing fees."""
    shipping_cost_usd: float
    """Shipping cost."""
    net_proceeds_usd: float
    """Gross proceeds minus fees and shipping."""
    profit_loss_usd: Union[float, None]
    """Net proceeds minus cost basis; null if the cost is unknown."""
    roi_pct: Union[float, None]
    """Profit as a percentage of cost basis; null if the cost is unknown or 0."""


class SetSearchResult(TypedDict):
    """Set search result. Use `GET /set/{number}` for values."""

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
    """Release year."""
    retired: bool
    """Whether it is retired."""
    image_url: Union[str, None]
    """Image URL."""


class SetsData(TypedDict):
    """A page of sets."""

    sets: list[SetSearchResult]
    """By number, or best match first."""
    pagination: Pagination


class UsageData(TypedDict):
    """Usage of this API key."""

    limit: int
    """Daily quota of this API key, in credits."""
    used: int
    """Credits used today."""
    remaining: int
    """Credits remaining until the reset."""
    reset: str
    """When the quota resets (midnight UTC)."""
    days: list[UsageDay]
    """Oldest first. Days without usage are left out, except today."""


class UsageDay(TypedDict):
    """Usage of this API key on one day."""

    date: str
    """Day (UTC)."""
    credits: int
    """Credits used."""
    requests: int
    """Number of requests, including those that failed."""
    failed: int
    """Requests that returned an error."""
    endpoints: list[EndpointUsage]
    """Most requests first."""


class Analytics(TypedDict):
    """Portfolio totals and value history."""

    period: Literal["30d", "90d", "1y"]
    """Requested period."""
    summary: AnalyticsSummary
    value_history: list[ValuePoint]
    """Oldest first; the last point is the current value."""


class AnalyticsSummary(TypedDict):
    """Current totals across all collections."""

    total_sets: int
    """Number of unique sets."""
    total_items: int
    """Total units."""
    total_cost_basis_usd: float
    """Cost basis, where known. Units without a value are excluded."""
    total_current_value_usd: float
    """Estimated value, where known."""
    unrealized_gain_loss_usd: float
    """Value minus cost basis of units with a known value and cost."""
    unrealized_gain_loss_pct: float
    """Gain as a percentage of cost basis; 0 if the cost basis is 0."""
    top_gainer: Union[TopGainer, None]
    top_loser: Union[TopLoser, None]


class Barcodes(TypedDict):
    """Barcodes."""

    upc: Union[str, None]
    """UPC, 12 digits."""
    ean: Union[str, None]
    """EAN, 13 digits."""


class BatchData(TypedDict):
    """The items of a batch."""

    sets: list[Union[FoundSet, MissingSet]]
    """In request order, without duplicates."""
    minifigs: list[Union[FoundMinifig, MissingMinifig]]
    """In request order, without duplicates."""
    summary: BatchSummary


class BatchRequest(TypedDict, total=False):
    """1 to 100 unique numbers in total."""

    sets: list[str]
    """Set numbers."""
    minifigs: list[str]
    """Minifig numbers."""


class BatchSummary(TypedDict):
    """Batch summary."""

    requested: int
    """Number of unique items requested."""
    found: int
    """Number of items found."""


class Box(TypedDict):
    """Box dimensions and weight."""

    width_in: Union[float, None]
    """Width in inches."""
    height_in: Union[float, None]
    """Height in inches."""
    depth_in: Union[float, None]
    """Depth in inches."""
    weight_lbs: Union[float, None]
    """Weight in pounds."""


class BrickfolioSummary(TypedDict):
    """A collection and its current value."""

    id: int
    """Collection ID."""
    name: str
    """Name."""
    description: Union[str, None]
    """Description."""
    is_default: bool
    """Whether this is the default collection."""
    owned_set_count: int
    """Number of unique sets."""
    owned_item_count: int
    """Total units."""
    total_cost_basis_usd: float
    """Cost basis, where known. Units without a value are excluded."""
    total_current_value_usd: float
    """Estimated value, where known."""
    unrealized_gain_loss_usd: float
    """Value minus cost basis of units with a known value and cost."""
    created_at: str
    """When the collection was created."""


class BrickfoliosData(TypedDict):
    """Collections, and current lots grouped by purchase month."""

    brickfolios: list[BrickfolioSummary]
    """Default collection first, then by ID."""
    monthly_periods: list[MonthlyPeriod]
    """Oldest month first."""


class EntriesData(TypedDict):
    """A page of lots."""

    entries: list[Holding]
    """Ordered by collection, then by creation order."""
    pagination: Pagination


class _FoundMinifigAlways(TypedDict):
    minifig_number: str
    """Minifig number (third-party marketplace catalog)."""
    name: str
    """Name."""
    category: Union[str, None]
    """Category."""
    year_released: Union[int, None]
    """Year of first release."""
    image_url: Union[str, None]
    """Image URL."""
    current_value_usd: Union[float, None]
    """Estimated market value."""
    value_range: MinifigValueRange
    set_count: int
    """Number of sets it appears in."""
    sets: list[str]
    """Numbers of those sets."""
    found: Literal[True]
    """Whether it was found."""


class FoundMinifig(_FoundMinifigAlways, total=False):
    """A minifig that was found."""

    color: str
    """Primary color. Omitted if unknown."""


class FoundSet(TypedDict):
    """A set that was found."""

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
    """Total number of minifigs, including duplicates."""
    minifigs: list[str]
    """Unique minifig numbers."""
    barcodes: Barcodes
    msrp_usd: Union[float, None]
    """Retail price (MSRP)."""
    release_date: Union[str, None]
    """Release date."""
    retire_date: Union[str, None]
    """Retirement date; null if not retired."""
    status_id: int
    """1 upcoming, 2 available, 3 retiring soon, 4 retired, 5 unknown."""
    data_tier: Union[Literal["market", "thin", "modelled", "none"], str]
    """Confidence in the value. New values may be added."""
    image_url: Union[str, None]
    """Image URL."""
    new_value_usd: Union[float, None]
    """Estimated value, sealed."""
    used_value_usd: Union[float, None]
    """Estimated value, used."""
    value_range: ValueRange
    retailers: list[RetailerSummary]
    """Current retailer prices."""
    box: Box
    found: Literal[True]
    """Whether it was found."""


class HistoryPoint(TypedDict):
    """A finalized month. Finalized months never change."""

    month: str
    """Year and month."""
    value_usd: Union[float, None]
    """End-of-month value; null if there were too few sales."""
    range_low: Union[float, None]
    """Lower bound of the 80% range; null if there were too few sales."""
    range_high: Union[float, None]
    """Upper bound of the 80% range; null if there were too few sales."""
    sales_count: Union[int, None]
    """Units sold; null if there were too few sales."""
    event: Union[Literal["released", "retiring_soon", "retired", "rereleased"], str, None]
    """Lifecycle event that month; null if there was none. New values may be added."""


class _HoldingAlways(TypedDict):
    brickfolio_id: int
    """Collection ID."""
    set_number: str
    """Set number."""
    title: str
    """Title of the set."""
    theme: str
    """Theme of the set."""
    quantity: int
    """Number of units."""
    condition: Literal["sealed", "used"]
    """Condition of the units."""
    status: Union[Literal["owned", "listed"], str]
    """`listed` if it is for sale. New values may be added."""
    current_value_usd: Union[float, None]
    """Estimated value per unit; null if unavailable."""
    total_current_value_usd: Union[float, None]
    """Estimated value of all units."""
    unrealized_gain_loss_usd: Union[float, None]
    """Value minus cost basis."""
    unrealized_gain_loss_pct: Union[float, None]
    """Gain as a percentage of cost basis; 0 for gifts."""


class Holding(_HoldingAlways, total=False):
    """A lot: units of one set bought together. The last four fields are null if no value is available; the last two also if the purchase price is unknown."""

    purchase_price_usd: float
    """Purchase price per unit; 0 for gifts. Omitted if unknown."""
    purchase_date: str
    """Purchase date. Omitted if unknown."""


class _MinifigAlways(TypedDict):
    minifig_number: str
    """Minifig number (third-party marketplace catalog)."""
    name: str
    """Name."""
    category: Union[str, None]
    """Category."""
    year_released: Union[int, None]
    """Year of first release."""
    image_url: Union[str, None]
    """Image URL."""
    current_value_usd: Union[float, None]
    """Estimated market value."""
    value_range: MinifigValueRange
    set_count: int
    """Number of sets it appears in."""
    sets: list[str]
    """Numbers of those sets."""


class Minifig(_MinifigAlways, total=False):
    """A minifig with its estimated market value. Unknown values are null."""

    color: str
    """Primary color. Omitted if unknown."""


class MinifigSearchData(TypedDict):
    """A page of minifigs."""

    results: list[MinifigSearchResult]
    """Best match first."""
    pagination: Pagination


class MinifigSearchResult(TypedDict):
    """Minifig search result. Use `GET /minifig/{number}` for its value."""

    minifig_number: str
    """Minifig number (third-party marketplace catalog)."""
    name: str
    """Name."""
    category: Union[str, None]
    """Category."""
    year_released: Union[int, None]
    """Year of first release."""
    image_url: Union[str, None]
    """Image URL."""


class MinifigValueRange(TypedDict):
    """80% prediction interval for the next sale."""

    low: Union[float, None]
    """Lower bound."""
    high: Union[float, None]
    """Upper bound."""


class MissingMinifig(TypedDict):
    """A minifig that was not found."""

    minifig_number: str
    """The number as requested."""
    found: Literal[False]
    """Whether it was found."""


class MissingSet(TypedDict):
    """A set that was not found."""

    set_number: str
    """The number as requested."""
    found: Literal[False]
    """Whether it was found."""


class MonthlyPeriod(TypedDict):
    """Current lots by purchase month, across all collections. Lots with an unknown purchase date are excluded."""

    month: str
    """Purchase month."""
    entry_count: int
    """Lots bought that month that you still own."""
    items: int
    """Units in those lots."""
    cost_basis_usd: Union[float, None]
    """Cost basis, including units without a value; null if unknown."""


class PriceBlock(TypedDict):
    """A set's price and price history summary at one retailer."""

    price: Union[float, None]
    """Current price; null if out of stock or unknown."""
    sellerType: Union[Literal["retailer", "third_party"], str, None]
    """Who sells it: the retailer itself (first party) or only third parties. New values may be added."""
    changedAt: Union[str, None]
    """When the price last changed; null if it never has."""
    lastChange: Union[float, None]
    """Amount of the last price change."""
    flip1pTo3p: bool
    """Whether the listing switched from first-party to third-party only."""
    atLowest: bool
    """Whether `price` equals `lowest`."""
    lowest: Union[float, None]
    """All-time low since tracking began."""
    inStock: Union[bool, None]
    """Whether it is in stock."""


class RetailExit(TypedDict, total=False):
    """Resale estimate at retailer_a. Unknown fields are omitted."""

    lowestFba: float
    """Lowest FBA offer."""
    fbaSellers: int
    """Number of FBA sellers; 0 if there are none."""
    buyBox: float
    """Buy box price."""
    netFba: float
    """Net proceeds after referral and fulfillment fees."""


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
    """ASIN (product ID at retailer_a). Omitted if unknown."""
    upc: str
    """UPC, 12 digits. Omitted if unknown."""
    paid: float
    """Your average purchase price per unit."""


class RetailerSummary(TypedDict):
    """A retailer's current price for a set."""

    retailer: Literal["retailer_a", "retailer_b"]
    """Retailer ID."""
    retailer_name: str
    """Retailer name."""
    current_price: Union[float, None]
    """Last observed price: the current price unless `in_stock` is false. Null if never observed."""
    list_price: Union[float, None]
    """The retailer's list price, or the MSRP if it shows none; null if neither is known."""
    discount_percent: Union[float, None]
    """Discount off the list price, in percent; negative if above it."""
    in_stock: bool
    """Whether it is in stock."""
    is_first_party: bool
    """Whether it is sold by the retailer (first party)."""
    product_url: str
    """Product page URL."""
    last_checked_at: str
    """When the price was last checked."""


class SalesData(TypedDict):
    """A page of sales."""

    sales: list[Sale]
    """Newest first."""
    pagination: Pagination


class Set(TypedDict):
    """A set with estimated market values. All fields are always present; unknown values are null."""

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
    """Total number of minifigs, including duplicates."""
    minifigs: list[str]
    """Unique minifig numbers."""
    barcodes: Barcodes
    msrp_usd: Union[float, None]
    """Retail price (MSRP)."""
    release_date: Union[str, None]
    """Release date."""
    retire_date: Union[str, None]
    """Retirement date; null if not retired."""
    status_id: int
    """1 upcoming, 2 available, 3 retiring soon, 4 retired, 5 unknown."""
    data_tier: Union[Literal["market", "thin", "modelled", "none"], str]
    """Confidence in the value. New values may be added."""
    image_url: Union[str, None]
    """Image URL."""
    new_value_usd: Union[float, None]
    """Estimated value, sealed."""
    used_value_usd: Union[float, None]
    """Estimated value, used."""
    value_range: ValueRange
    retailers: list[RetailerSummary]
    """Current retailer prices."""
    box: Box


class SetHistory(TypedDict):
    """Finalized monthly values of a set."""

    set_number: str
    """Canonical set number."""
    condition: Literal["sealed", "used"]
    """Requested condition."""
    history: list[HistoryPoint]
    """Oldest month first."""


class SetSearchData(TypedDict):
    """A page of sets."""

    results: list[SetSearchResult]
    """Best match first."""
    pagination: Pagination


class Theme(TypedDict):
    """A theme."""

    theme: str
    """Theme name."""
    set_count: int
    """Number of sets."""


class ThemesData(TypedDict):
    """All themes."""

    themes: list[Theme]
    """In alphabetical order."""


class TopGainer(TypedDict):
    """The lot with the highest percentage gain (cost basis of $5 or more)."""

    set_number: Union[str, None]
    """Set number."""
    title: Union[str, None]
    """Title of the set."""
    gain_pct: Union[float, None]
    """Gain as a percentage of cost basis."""


class TopLoser(TypedDict):
    """The lot with the largest percentage loss (cost basis of $5 or more)."""

    set_number: Union[str, None]
    """Set number."""
    title: Union[str, None]
    """Title of the set."""
    loss_pct: Union[float, None]
    """Loss as a percentage of cost basis (negative)."""


class ValuePoint(TypedDict):
    """Portfolio value on one day. Units without a value that day are excluded; units with an unknown purchase date count as always owned."""

    date: str
    """Day."""
    total_value_usd: float
    """Value of the units you owned."""
    cost_basis_usd: float
    """Cost basis of those units, where known."""
    gain_loss_usd: float
    """Value minus cost basis of units with a known value and cost."""
    gain_loss_pct: float
    """Gain as a percentage of cost basis; 0 if the cost basis is 0."""


class ValueRange(TypedDict):
    """80% prediction interval for the next sealed sale."""

    low: Union[float, None]
    """Lower bound."""
    high: Union[float, None]
    """Upper bound."""
    calculated_at: Union[str, None]
    """When the value was last calculated."""


class AlertEventData(TypedDict):
    """Data of `AlertEvent`. Amounts are in US dollars; None if they don't apply."""

    alert_id: int
    rule_id: int
    item_kind: Literal["set", "minifig"]
    item_number: str
    title: str
    retailer: Union[str, None]
    retailer_name: Union[str, None]
    reason: str
    price_usd: Union[float, None]
    value_usd: Union[float, None]
    previous_usd: Union[float, None]
    threshold_usd: Union[float, None]
    threshold_pct: Union[float, None]
    actual_pct: Union[float, None]


class AlertEvent(TypedDict):
    """An alert."""

    type: Literal["alert.price_at_most", "alert.below_value", "alert.return_at_least", "alert.new_low", "alert.sold_out", "alert.back_in_stock", "alert.third_party", "alert.value_moved", "alert.retiring_soon", "alert.retired"]
    timestamp: str
    data: AlertEventData


class TestEvent(TypedDict):
    """What **Send test event** sends."""

    type: Literal["test"]
    timestamp: str
    data: dict[str, Any]


WebhookEvent = Union[AlertEvent, TestEvent]
"""A message to a webhook endpoint. Its `type` says which."""

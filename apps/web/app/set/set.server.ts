import { data, redirect, type RouterContextProvider } from 'react-router'
import { readAs, type Database } from '@brickmark/core/db/database'
import type { MonthSeries } from '@brickmark/core/market/values/month-series'
import { appendTodayValue } from '@brickmark/core/market/values/value-line'
import { yearChange } from '@brickmark/core/market/values/year-change'
import { loadMinifigs } from '@brickmark/core/market/values/minifig-record-queries'
import { findRetailDays } from '@brickmark/core/market/retail/retail-day-queries'
import { findSetSources } from '@brickmark/core/catalog/origin-queries'
import { findSetMinifigs } from '@brickmark/core/catalog/set-queries'
import { findSimilarSets } from '@brickmark/core/market/values/similar-set-queries'
import { loadSets } from '@brickmark/core/market/values/set-record-queries'
import type { SetRecord, ValueRecord } from '@brickmark/core/market/values/set-record'
import { findDefaultCollection } from '@brickmark/core/portfolio/collection-queries'
import { findLotsOfSet } from '@brickmark/core/portfolio/lot-queries'
import { costsOfItem } from '@brickmark/core/portfolio/selling-costs'
import { findSellingCosts } from '@brickmark/core/portfolio/selling-costs-queries'
import { isWatched } from '@brickmark/core/portfolio/watched-item-queries'
import { findSetByNumber } from '@brickmark/core/catalog/set-search-queries'
import { dayNumber, utcDayOf, formatDay, formatMonth } from '@brickmark/core/primitives/calendar'
import type { Condition } from '@brickmark/core/catalog/condition'
import { valueLot } from '@brickmark/core/portfolio/portfolio'
import { findLowestPrices } from '@brickmark/core/market/retail/retail-low-queries'
import { discountPercent } from '@brickmark/core/market/retail/retail-price'
import { setStatus } from '@brickmark/core/catalog/set-status'
import { themeTint } from '@brickmark/art/palettes'
import { isShown } from '../../host/pictures.ts'
import type { ValueEstimate } from '../ui/value-block.tsx'
import { VALUE_RANGES, type ValueRange } from '../ui/value-history.tsx'
import { cleanText } from '../request/input.server.ts'
import { getServices, sessionContext } from '../request/context.server.ts'
import { showsValues } from '../request/visitor.server.ts'

const RETAIL_DAYS = 365
const SIMILAR_SETS = 4
const MONTHS_PER_YEAR = 12

type Context = Readonly<RouterContextProvider>

/** Loads a set page; undefined if the set does not exist. Visitors see what PUBLIC_PAGES allows. Redirects aliases of its number to the canonical URL. */
export async function loadSetPage(
  context: Context,
  request: Request,
  requestedNumber: string | undefined,
  { condition, range }: { condition: Condition; range: ValueRange },
) {
  const accountId = context.get(sessionContext)?.accountId
  const { db, config } = getServices(context)
  const number = cleanText(requestedNumber ?? '')
  const found = await findSetByNumber(db, number)
  if (!found) return undefined
  if (found.set_number !== requestedNumber) {
    throw redirect(`/set/${encodeURIComponent(found.set_number)}${new URL(request.url).search}`)
  }
  const load = (tx: Database) => loadSetContent(tx, context, number, { condition, range })
  const content = accountId === undefined ? await load(db) : await readAs(db, accountId, load)
  return { ...content, condition, range, pageUrl: `${config.publicUrl}/set/${encodeURIComponent(number)}` }
}

async function loadSetContent(
  tx: Database,
  context: Context,
  number: string,
  { condition, range }: { condition: Condition; range: ValueRange },
) {
  const accountId = context.get(sessionContext)?.accountId
  const today = utcDayOf(new Date())
  const [record] = await loadSets(tx, [number])
  if (!record) throw data('not found', 404)
  const isValued = showsValues(context)
  const values = {
    sealed: isValued ? toEstimate(record.sealed, today, record.months.sealed) : undefined,
    used: isValued ? toEstimate(record.used, today, record.months.used) : undefined,
  }
  return {
    set: await loadSetDetails(tx, record, today, isValued),
    isIllustration: !isShown(record.image_url, getServices(context).config),
    values,
    months: isValued ? summarizeMonths(record.months[condition], VALUE_RANGES[range]) : null,
    similar: (await findSimilarSets(tx, record, SIMILAR_SETS)).map(({ set_number, title, value_cents }) => ({
      number: set_number,
      title,
      value: isValued ? value_cents : null,
    })),
    sources: await findSetSources(tx, number),
    // Retail prices and everything of the account's own are for signed-in users.
    own: accountId === undefined ? null : await loadOwnDetails(tx, accountId, record, values, today),
  }
}

async function loadOwnDetails(
  tx: Database,
  accountId: number,
  record: SetRecord,
  values: Record<Condition, ValueEstimate | undefined>,
  today: number,
) {
  return {
    costs: costsOfItem(await findSellingCosts(tx, accountId, formatDay(today)), record.box.weight_lbs),
    boxWeightLbs: record.box.weight_lbs,
    retail: await loadRetailPrices(tx, record, today),
    collectionId: await findDefaultCollection(tx, accountId),
    isWatched: await isWatched(tx, accountId, 'set', record.set_number),
    lots: (await findLotsOfSet(tx, accountId, record.set_number)).map((lot) => {
      const price = lot.purchase_price_cents
      const unitValue = values[lot.condition]?.value ?? null
      const { value, gain, gainPct } = valueLot({ quantity: lot.quantity, unitCost: price, unitValue })
      return {
        id: lot.id,
        collectionId: lot.collection_id,
        collection: lot.collection,
        quantity: lot.quantity,
        condition: lot.condition,
        status: lot.status,
        price,
        date: lot.purchase_date,
        value,
        gain,
        // As in the table of a collection.
        gainPct: price === 0 ? null : gainPct,
      }
    }),
  }
}

async function loadSetDetails(tx: Database, set: SetRecord, today: number, isValued: boolean) {
  const inside = await findSetMinifigs(tx, [set.set_number])
  const minifigs = new Map((await loadMinifigs(tx, set.minifigs)).map((minifig) => [minifig.minifig_number, minifig]))
  return {
    number: set.set_number,
    title: set.title,
    theme: set.theme,
    subtheme: set.subtheme,
    pieces: set.pieces,
    msrp: set.msrp,
    released: set.release_date,
    releaseYear: set.release_year,
    retires: set.retire_date,
    status: setStatus(set, formatDay(today)),
    upc: set.upc,
    ean: set.ean,
    tint: themeTint(set.theme),
    minifigs: inside.map(({ minifig_number, quantity }) => ({
      number: minifig_number,
      quantity,
      name: minifigs.get(minifig_number)?.name ?? minifig_number,
      value: isValued ? (minifigs.get(minifig_number)?.value?.value ?? null) : null,
    })),
  }
}

/** Converts a computed value for display; the change over a year is known only with its `months`. */
export function toEstimate(
  record: ValueRecord | undefined,
  today: number,
  months?: MonthSeries,
): ValueEstimate | undefined {
  if (record === undefined) return undefined
  const { value, low, high, tier, evidence, doubtful, calculated_at } = record
  return {
    value,
    low,
    high,
    tier,
    yearChange: months ? yearChange(appendTodayValue(months.valuePoints(), value, today), today) : null,
    evidence: evidence && { sellers: evidence.sellers, lastSold: evidence.last_sold_on },
    doubtful,
    at: calculated_at.toISOString(),
  }
}

/** Returns the latest finalized months and the units sold in the last twelve of them. */
export function summarizeMonths(series: MonthSeries, shown: number) {
  const all = series.months().map(({ month, ...point }) => ({ ...point, month: formatMonth(month) }))
  const year = all.slice(-MONTHS_PER_YEAR)
  return {
    visibleMonths: all.slice(-shown),
    unitsSoldLastYear: year.reduce((sum, { salesCount }) => sum + (salesCount ?? 0), 0),
    sparseMonths: year.filter(({ salesCount }) => salesCount === null).length,
    months: year.length,
  }
}

async function loadRetailPrices(tx: Database, { set_number, retail, exit }: SetRecord, today: number) {
  const [days, lowestInDays] = await Promise.all([
    findRetailDays(tx, set_number, formatDay(today - RETAIL_DAYS)),
    findLowestPrices(tx, [set_number], today),
  ])
  return {
    net: exit?.net_fba ?? null,
    lowestOffer: exit?.lowest_fba ?? null,
    sellers: exit?.fba_sellers ?? null,
    from: today - RETAIL_DAYS,
    retailers: Object.values(retail)
      .toSorted((a, b) => (a.retailer < b.retailer ? -1 : 1))
      .map((state) => {
        return {
          retailer: state.retailer,
          name: state.retailer_name,
          price: state.price,
          discount: discountPercent(state.price, state.list_price),
          inStock: state.in_stock,
          sellerType: state.seller_type,
          change: state.last_change,
          lowest: state.lowest,
          lowestInDays: lowestInDays(set_number, state.retailer),
          flipped: state.flip_1p_to_3p,
          url: state.product_url,
          checkedAt: state.last_checked_at.toISOString(),
          changes: days
            .filter((day) => day.retailer === state.retailer)
            .map((day) => ({
              day: dayNumber(day.day),
              price: day.price_cents,
              sellerType: day.seller_type,
            })),
        }
      }),
  }
}

export type SetPageData = NonNullable<Awaited<ReturnType<typeof loadSetPage>>>

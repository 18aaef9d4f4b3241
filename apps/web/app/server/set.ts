import { data, redirect, type RouterContextProvider } from 'react-router'
import { readAs, type Database } from '@brickmark/core/db/database'
import { MonthSeries } from '@brickmark/core/market/month-series'
import { findSellingFees } from '@brickmark/core/market/fee-schedule-queries'
import { findMinifigs } from '@brickmark/core/market/minifig-record-queries'
import { findRetailDays } from '@brickmark/core/market/retail-day-queries'
import { findRetailExits, findRetailStates } from '@brickmark/core/market/retail-state-queries'
import { findSetMinifigs, findSets } from '@brickmark/core/catalog/set-queries'
import { findMonthSeries } from '@brickmark/core/market/set-month-queries'
import { findSetValues } from '@brickmark/core/market/value-queries'
import { findLotsOfSet } from '@brickmark/core/portfolio/lot-queries'
import { findSetByNumber } from '@brickmark/core/catalog/set-search-queries'
import { cents, centsOrNull } from '@brickmark/core/primitives/money'
import { dayNumber, utcDayOf, formatDay, formatMonth } from '@brickmark/core/primitives/calendar'
import type { Condition } from '@brickmark/core/catalog/condition'
import { computeGain } from '@brickmark/core/portfolio/portfolio'
import { discountPercent } from '@brickmark/core/market/retail-price'
import { feesInForce } from '@brickmark/core/market/selling-fees'
import { setStatus } from '@brickmark/core/catalog/set-status'
import { cleanText } from './collection.ts'
import { getServices, requireUser } from './context.ts'

const MONTHS_SHOWN = 36
const RETAIL_DAYS = 365

type Context = Readonly<RouterContextProvider>

/** Loads a set page; undefined if the set does not exist. Redirects aliases of its number to the canonical URL. */
export async function loadSetPage(
  context: Context,
  request: Request,
  requestedNumber: string | undefined,
  condition: Condition,
) {
  const { accountId } = requireUser(context)
  const { db } = getServices(context)
  const number = cleanText(requestedNumber ?? '')
  const found = await findSetByNumber(db, number)
  if (!found) return undefined
  if (found.set_number !== requestedNumber) {
    throw redirect(`/set/${encodeURIComponent(found.set_number)}${new URL(request.url).search}`)
  }
  const today = utcDayOf(new Date())
  return readAs(db, accountId, async (tx) => {
    const values = await loadValues(tx, number)
    return {
      condition,
      today,
      fees: await defaultFees(tx, formatDay(today)),
      set: await loadSetDetails(tx, number, today),
      values,
      months: await loadMonths(tx, number, condition),
      retail: await loadRetailPrices(tx, number, today),
      lots: (await findLotsOfSet(tx, accountId, number)).map((lot) => {
        const [price, unit] = [cents(lot.purchase_price_usd), values[lot.condition]?.value ?? null]
        const value = unit === null ? null : lot.quantity * unit
        const gain = value === null ? null : computeGain(value, lot.quantity * price)
        return {
          id: lot.id,
          collectionId: lot.brickfolio_id,
          collection: lot.collection,
          quantity: lot.quantity,
          condition: lot.condition,
          status: lot.status,
          price,
          date: lot.purchase_date,
          value,
          gain: gain?.gain ?? null,
          gainPct: gain?.pct ?? null,
        }
      }),
    }
  })
}

async function loadSetDetails(tx: Database, number: string, today: number) {
  const [[set], inside] = await Promise.all([findSets(tx, [number]), findSetMinifigs(tx, [number])])
  if (!set) throw data('not found', 404)
  const figures = await findMinifigs(
    tx,
    inside.map((row) => row.minifig_number),
  )
  const names = new Map(figures.map((row) => [row.minifig_number, row]))
  return {
    number,
    title: set.title,
    theme: set.theme,
    subtheme: set.subtheme,
    pieces: set.pieces,
    msrp: centsOrNull(set.msrp_usd),
    released: set.release_date,
    retires: set.retire_date,
    status: setStatus(set.release_date, set.retire_date, formatDay(today)),
    upc: set.upc,
    ean: set.ean,
    image: set.image_url,
    minifigs: inside.map(({ minifig_number, quantity }) => ({
      number: minifig_number,
      quantity,
      name: names.get(minifig_number)?.name ?? minifig_number,
      value: centsOrNull(names.get(minifig_number)?.value_usd ?? null),
    })),
  }
}

/** Returns eBay's fees in force on `day`, as defaults for the buy calculator. */
async function defaultFees(tx: Database, day: string): Promise<{ rate: number; fixed: number }> {
  const fees = feesInForce(await findSellingFees(tx), 'ebay', day)
  return { rate: fees?.shares.at(-1)?.basisPoints ?? 0, fixed: fees?.fixed.at(-1)?.cents ?? 0 }
}

async function loadValues(tx: Database, number: string) {
  const rows = await findSetValues(tx, [number])
  const of = (condition: Condition) => {
    const row = rows.find((row) => row.condition === condition)
    return (
      row && {
        value: centsOrNull(row.value_usd),
        low: centsOrNull(row.range_low_usd),
        high: centsOrNull(row.range_high_usd),
        tier: row.data_tier,
        at: row.calculated_at.toISOString(),
      }
    )
  }
  return { sealed: of('sealed'), used: of('used') }
}

/** Loads the latest finalized months and the units sold in the last twelve of them. */
async function loadMonths(tx: Database, number: string, condition: Condition) {
  const rows = (await findMonthSeries(tx, [number])).filter((row) => row.condition === condition)
  const [series = MonthSeries.empty] = MonthSeries.unpack(rows.map(({ packed }) => packed))
  const all = series.months().map(({ month, ...point }) => ({ ...point, month: formatMonth(month) }))
  const year = all.slice(-12)
  return {
    visibleMonths: all.slice(-MONTHS_SHOWN),
    unitsSoldLastYear: year.reduce((sum, { salesCount }) => sum + (salesCount ?? 0), 0),
    sparseMonths: year.filter(({ salesCount }) => salesCount === null).length,
    months: year.length,
  }
}

async function loadRetailPrices(tx: Database, number: string, today: number) {
  const [states, [exit], days] = await Promise.all([
    findRetailStates(tx, [number]),
    findRetailExits(tx, [number]),
    findRetailDays(tx, number, formatDay(today - RETAIL_DAYS)),
  ])
  return {
    net: centsOrNull(exit?.net_fba_usd ?? null),
    lowestOffer: centsOrNull(exit?.lowest_fba_usd ?? null),
    sellers: exit?.fba_sellers ?? null,
    from: today - RETAIL_DAYS,
    retailers: states
      .toSorted((a, b) => (a.retailer < b.retailer ? -1 : 1))
      .map((state) => {
        const [price, list] = [centsOrNull(state.price_usd), centsOrNull(state.list_price_usd)]
        return {
          retailer: state.retailer,
          name: state.retailer_name,
          price,
          discount: discountPercent(price, list),
          inStock: state.in_stock,
          sellerType: state.seller_type,
          change: centsOrNull(state.last_change_usd),
          lowest: centsOrNull(state.lowest_usd),
          atLowest: state.at_lowest,
          flipped: state.flip_1p_to_3p,
          url: state.product_url,
          checkedAt: state.last_checked_at.toISOString(),
          changes: days
            .filter((day) => day.retailer === state.retailer)
            .map((day) => ({
              day: dayNumber(day.day),
              price: centsOrNull(day.price_usd),
              sellerType: day.seller_type,
            })),
        }
      }),
  }
}

export type SetPageData = NonNullable<Awaited<ReturnType<typeof loadSetPage>>>

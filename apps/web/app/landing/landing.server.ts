import type { RouterContextProvider } from 'react-router'
import { findPlans } from '@brickmark/core/account/plan-queries'
import { findAccuracy } from '@brickmark/core/market/values/accuracy-queries'
import { findBrickIndex } from '@brickmark/core/market/index/brick-index-queries'
import { loadSets } from '@brickmark/core/market/values/set-record-queries'
import { findCatalogFigures, findShowcaseSets } from '@brickmark/core/market/values/theme-queries'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { themeTint } from '@brickmark/art/palettes'
import { getServices } from '../request/context.server.ts'
import { summarizeMonths, toEstimate } from '../set/set.server.ts'
import { showsValues } from '../request/visitor.server.ts'

const SHELF_SIZE = 8
const EXAMPLE_MONTHS = 36

/** Loads the landing page. Everything on it is taken from the catalog: nothing is made up for it. */
export async function loadLanding(context: Readonly<RouterContextProvider>) {
  const { db } = getServices(context)
  const today = utcDayOf(new Date())
  const [shelf, figures, plans] = await Promise.all([
    findShowcaseSets(db, SHELF_SIZE),
    findCatalogFigures(db),
    findPlans(db),
  ])
  const [example] = await loadSets(
    db,
    shelf.slice(0, 1).map(({ set_number }) => set_number),
  )
  return {
    shelf: shelf.map(({ set_number, title }) => ({ number: set_number, title })),
    figures,
    plans: plans.map(({ plan, api_access, daily_limit }) => ({
      name: plan,
      apiAccess: api_access,
      dailyLimit: daily_limit,
    })),
    example: example && {
      number: example.set_number,
      title: example.title,
      theme: example.theme,
      pieces: example.pieces,
      retires: example.retire_date,
      tint: themeTint(example.theme),
      value: showsValues(context) ? toEstimate(example.sealed, today, example.months.sealed) : undefined,
      used: showsValues(context) ? toEstimate(example.used, today, example.months.used) : undefined,
      months: showsValues(context) ? summarizeMonths(example.months.sealed, EXAMPLE_MONTHS).visibleMonths : [],
    },
    market: showsValues(context) ? await loadMarket(context) : undefined,
  }
}

/** The Brick Index of all themes and the published accuracy. */
export async function loadMarket(context: Readonly<RouterContextProvider>) {
  const { db } = getServices(context)
  const [index, accuracy] = await Promise.all([findBrickIndex(db), findAccuracy(db)])
  return {
    index,
    accuracy: accuracy.map((row) => ({
      condition: row.condition,
      groupedBy: row.grouped_by,
      name: row.name,
      sales: row.sales,
      medianError: row.median_error_pct,
      within10: row.within_10_pct,
      within20: row.within_20_pct,
      coverage: row.coverage_pct,
      simpleMethod: row.simple_method,
      simpleError: row.simple_error_pct,
    })),
  }
}

export type LandingData = Awaited<ReturnType<typeof loadLanding>>
export type MarketData = Awaited<ReturnType<typeof loadMarket>>

import type { RouterContextProvider } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findApiKeys } from '@brickmark/core/account/api-key-queries'
import { findQuotaClock, findUsage, type UsageRow } from '@brickmark/core/account/usage-queries'
import { runsOutAt } from '@brickmark/core/account/quota'
import type { ChartTone, Point, Series } from '../components/chart.tsx'
import { servicesOf, signedIn } from './context.ts'

const DAYS = 30

type Context = Readonly<RouterContextProvider>

/** Each key's days, for the file to download. */
export async function usageRows(context: Context): Promise<UsageRow[]> {
  const { accountId } = signedIn(context)
  return readAs(servicesOf(context).db, accountId, (as) => findUsage(as, accountId, DAYS))
}

/** Today and the last 30 days, read in one snapshot of the database. */
export async function usagePage(context: Context, by: 'key' | 'status') {
  const { accountId } = signedIn(context)
  const { clock, keys, rows } = await readAs(servicesOf(context).db, accountId, async (as) => ({
    clock: await findQuotaClock(as, accountId),
    keys: await findApiKeys(as, accountId),
    rows: await findUsage(as, accountId, DAYS),
  }))
  const days = Array.from({ length: DAYS }, (_, ago) => dayBefore(clock.resets_at, DAYS - ago))
  return {
    now: clock.now.toISOString(),
    resetsAt: clock.resets_at.toISOString(),
    limit: clock.daily_limit,
    keys: keys
      .filter((key) => key.state === 'active' || key.used_today > 0)
      .map((key) => ({
        id: key.id,
        name: key.name,
        active: key.state === 'active',
        used: key.used_today,
        left: Math.max(0, key.daily_limit - key.used_today),
        runsOutAt: runsOutAt(key.used_today, key.daily_limit, clock.now, clock.resets_at)?.toISOString() ?? null,
      })),
    chart: by === 'key' ? chartByKey(rows, days) : chartByStatus(rows, days),
    requests: rows.reduce((sum, row) => sum + total(row), 0),
  }
}

/** Midnight is the end of the day before it. */
function dayBefore(midnight: Date, days: number): string {
  return new Date(midnight.getTime() - days * 86_400_000).toISOString().slice(0, 10)
}

type UsageChart = { series: Series[]; points: Point[] }

const TONES: ChartTone[] = ['accent', 'ink', 'soft', 'warn', 'loss']

/** Units of the five keys that used most; the rest together, so that bars stay readable. */
function chartByKey(rows: UsageRow[], days: string[]): UsageChart {
  const units = new Map<number, { name: string; units: number }>()
  for (const row of rows) {
    const sum = (units.get(row.key_id)?.units ?? 0) + row.units
    units.set(row.key_id, { name: row.key_name, units: sum })
  }
  const most = [...units].sort(([, a], [, b]) => b.units - a.units).map(([id, { name }]) => ({ id, name }))
  const shown = most.length > TONES.length ? most.slice(0, TONES.length - 1) : most
  const series = shown.map(({ id, name }, place) => bar(String(id), name, TONES[place]!))
  if (shown.length < most.length) series.push(bar('others', 'Others', TONES.at(-1)!))
  const named = new Set(shown.map(({ id }) => id))
  const points = days.map((day) => ({
    x: day,
    values: sums(
      series,
      rows
        .filter((row) => row.day === day)
        .map((row) => [named.has(row.key_id) ? String(row.key_id) : 'others', row.units]),
    ),
  }))
  return { series, points }
}

/** Requests by how they ended. */
function chartByStatus(rows: UsageRow[], days: string[]): UsageChart {
  const series = [
    bar('ok', '200 answered', 'accent'),
    bar('missing', '404 not found', 'soft'),
    bar('refused', '400, 401, 403 refused', 'warn'),
    bar('quota', '429 quota', 'ink'),
    bar('ours', '5xx our fault', 'loss'),
  ]
  const points = days.map((day) => ({
    x: day,
    values: sums(
      series,
      rows
        .filter((row) => row.day === day)
        .flatMap((row) => Object.entries(row.requests).map(([status, count]) => [kindOf(Number(status)), count])),
    ),
  }))
  return { series, points }
}

function kindOf(status: number): string {
  if (status >= 500) return 'ours'
  return { 200: 'ok', 404: 'missing', 429: 'quota' }[status] ?? 'refused'
}

function bar(key: string, label: string, tone: ChartTone): Series {
  return { key, label, kind: 'bar', tone }
}

function sums(series: Series[], counts: [key: string, count: number][]): Record<string, number> {
  const values = Object.fromEntries(series.map(({ key }) => [key, 0]))
  for (const [key, count] of counts) values[key] = (values[key] ?? 0) + count
  return values
}

export function total(row: UsageRow): number {
  return Object.values(row.requests).reduce((sum, count) => sum + count, 0)
}

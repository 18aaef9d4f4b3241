import { redirect, type RouterContextProvider } from 'react-router'
import { setQuotaMail } from '@brickmark/core/alert/mail-settings-commands'
import { wantsQuotaMail } from '@brickmark/core/alert/mail-settings-queries'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findApiKeys } from '@brickmark/core/account/api-key-queries'
import { findPlanAndReset, findUsage, type DailyUsage } from '@brickmark/core/account/usage-queries'
import { projectExhaustion } from '@brickmark/core/account/quota'
import type { ChartTone, Point, Series } from '../ui/chart.tsx'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'

const DAYS = 30

type Context = Readonly<RouterContextProvider>

/** Loads daily usage per key, for the CSV download. */
export async function loadDailyUsage(context: Context): Promise<DailyUsage[]> {
  const { accountId } = requireUser(context)
  return readAs(getServices(context).db, accountId, (tx) => findUsage(tx, accountId, DAYS))
}

/** Loads usage of today and the last 30 days from one database snapshot. */
export async function loadUsage(context: Context, by: 'key' | 'status') {
  const { accountId } = requireUser(context)
  const { clock, keys, rows, hasQuotaMail } = await readAs(getServices(context).db, accountId, async (tx) => ({
    clock: await findPlanAndReset(tx, accountId),
    hasQuotaMail: await wantsQuotaMail(tx, accountId),
    keys: await findApiKeys(tx, accountId),
    rows: await findUsage(tx, accountId, DAYS),
  }))
  const days = Array.from({ length: DAYS }, (_, ago) => dayBefore(clock.resets_at, DAYS - ago))
  return {
    now: clock.now.toISOString(),
    resetsAt: clock.resets_at.toISOString(),
    limit: clock.daily_limit,
    apiAccess: clock.api_access,
    hasQuotaMail,
    keys: keys
      .filter((key) => key.state === 'active' || key.used_today > 0)
      .map((key) => ({
        id: key.id,
        name: key.name,
        active: key.state === 'active',
        used: key.used_today,
        remaining: Math.max(0, key.daily_limit - key.used_today),
        runsOutAt:
          projectExhaustion(key.used_today, key.daily_limit, clock.now, clock.resets_at)?.toISOString() ?? null,
      })),
    chart: by === 'key' ? chartByKey(rows, days) : chartByStatus(rows, days),
    requests: rows.reduce((sum, row) => sum + totalRequests(row), 0),
  }
}

/** Turns mail about credits on or off. */
export async function saveQuotaMail(context: Context, request: Request) {
  const { accountId } = requireUser(context)
  const isOn = (await readForm(request))('quota-mail') === 'on'
  await writeAs(getServices(context).db, accountId, (tx) => setQuotaMail(tx, accountId, isOn))
  return redirect('/usage')
}

/** Returns the date `days` days before a UTC midnight. */
function dayBefore(midnight: Date, days: number): string {
  return new Date(midnight.getTime() - days * 86_400_000).toISOString().slice(0, 10)
}

type UsageChart = { series: Series[]; points: Point[] }

const TONES: ChartTone[] = ['accent', 'ink', 'soft', 'warn', 'loss']

/** Charts credits by key. With more than five keys, the top four are shown and the rest is grouped as “Other”. */
function chartByKey(rows: DailyUsage[], days: string[]): UsageChart {
  const units = new Map<number, { name: string; units: number }>()
  for (const row of rows) {
    const sum = (units.get(row.keyId)?.units ?? 0) + row.units
    units.set(row.keyId, { name: row.keyName, units: sum })
  }
  const busiestKeys = [...units].sort(([, a], [, b]) => b.units - a.units).map(([id, { name }]) => ({ id, name }))
  const shown = busiestKeys.length > TONES.length ? busiestKeys.slice(0, TONES.length - 1) : busiestKeys
  const series = shown.map(({ id, name }, index) => barSeries(String(id), name, TONES[index]!))
  if (shown.length < busiestKeys.length) series.push(barSeries('others', 'Other', TONES.at(-1)!))
  const topKeyIds = new Set(shown.map(({ id }) => id))
  const points = days.map((day) => ({
    x: day,
    values: sumByKey(
      series,
      rows
        .filter((row) => row.day === day)
        .map((row) => [topKeyIds.has(row.keyId) ? String(row.keyId) : 'others', row.units]),
    ),
  }))
  return { series, points }
}

/** Charts requests by status group. */
function chartByStatus(rows: DailyUsage[], days: string[]): UsageChart {
  const series = [
    barSeries('ok', '200 OK', 'accent'),
    barSeries('missing', '404 not found', 'soft'),
    barSeries('refused', '400, 401, 403 client errors', 'warn'),
    barSeries('quota', '429 limit reached', 'ink'),
    barSeries('ours', '5xx server errors', 'loss'),
  ]
  const points = days.map((day) => ({
    x: day,
    values: sumByKey(
      series,
      rows
        .filter((row) => row.day === day)
        .flatMap((row) => Object.entries(row.requests).map(([status, count]) => [statusGroup(Number(status)), count])),
    ),
  }))
  return { series, points }
}

function statusGroup(status: number): string {
  if (status >= 500) return 'ours'
  return { 200: 'ok', 404: 'missing', 429: 'quota' }[status] ?? 'refused'
}

function barSeries(key: string, label: string, tone: ChartTone): Series {
  return { key, label, kind: 'bar', tone }
}

function sumByKey(series: Series[], counts: [key: string, count: number][]): Record<string, number> {
  const values = Object.fromEntries(series.map(({ key }) => [key, 0]))
  for (const [key, count] of counts) values[key] = (values[key] ?? 0) + count
  return values
}

export function totalRequests(row: DailyUsage): number {
  return Object.values(row.requests).reduce((sum, count) => sum + count, 0)
}

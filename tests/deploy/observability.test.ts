import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { collectDefaultMetrics } from 'prom-client'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { WebMetrics } from '@brickmark/web/metrics'
import { WorkerMetrics } from '@brickmark/worker/metrics'
import { startTestApi, type TestApi } from '../support/api.ts'
import { createDatabase } from '../support/database.ts'

/**
 * Checks that the files in deploy/ use only existing metrics, and that every alert is tested and documented. promtool
 * runs the tests.
 */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const readAll = (folder: string, pattern: RegExp) =>
  readdirSync(new URL(`../../${folder}`, import.meta.url))
    .filter((name) => pattern.test(name))
    .map((name) => read(`${folder}/${name}`))
const rules = readAll('deploy/prometheus', /^(rules|slo|outside)\.yml$/).join('\n')
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)

let api: TestApi
let metricsText: string

beforeAll(async () => {
  api = await startTestApi()
  const database = await createDatabase(inject('serverUrl'))
  const db = openDatabase(openPool(database.url))
  const worker = new WorkerMetrics()
  worker.registerGauges(db, [])
  collectDefaultMetrics({ register: worker.registry })
  const web = new WebMetrics()
  web.recordRequest('GET', 200, 0.1)
  web.registerGauges(db)
  metricsText = [
    await (await fetch(api.metricsUrl)).text(),
    await worker.registry.metrics(),
    await web.registry.metrics(),
  ].join('\n')
  await db.destroy()
  await database.drop()
})
afterAll(() => api.stop())

/** Returns the metrics in an expression, without the suffixes of histogram series. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:brickmark|nodejs|process)_\w+/g) ?? []
  return [...new Set(names.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))]
}

type Dashboard = { panels: { targets: { expr: string }[] }[] }

test('every alert and panel uses metrics that are exported', () => {
  const dashboards = readAll('deploy/grafana', /\.json$/).map((text) => JSON.parse(text) as Dashboard)
  expect(dashboards.length).toBeGreaterThan(3)
  const panels = dashboards.flatMap((dashboard) => dashboard.panels)
  const expressions = [rules, ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))]
  const named = expressions.flatMap(metricsIn)
  expect(named.length).toBeGreaterThan(30)
  const missing = named.filter((name) => !metricsText.includes(`# TYPE ${name} `))
  // Exported only by API processes with a standby, and by node_exporter (see the docs site).
  expect([...new Set(missing)].toSorted()).toEqual([
    'brickmark_last_backup_timestamp_seconds',
    'brickmark_standby_current',
  ])
})

test('every alert is tested firing and silent, and has a runbook', () => {
  const tests = readAll('deploy/prometheus', /\.test\.yml$/).join('\n')
  const guide = read('apps/docs/src/content/docs/run/runbooks.md')
  expect(alerts.length).toBeGreaterThan(10)
  for (const alert of alerts) {
    expect(tests).toContain(`- name: ${alert} fires\n`)
    // That it is never silent is what the watchdog is for.
    if (alert !== 'Watchdog') expect(tests).toContain(`- name: ${alert} is silent\n`)
    expect(rules).toContain(`runbook: /docs/run/runbooks#${alert.toLowerCase()}`)
    expect(guide).toContain(`## ${alert}\n`)
  }
})

import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { refreshExchangeRates } from '@brickmark/core/market/currency/exchange-rate-commands'
import { findCurrencies, findExchangeRate } from '@brickmark/core/market/currency/exchange-rate-queries'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import { asRole, createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { ecbRates } from '@brickmark/tests/support/ecb-rates'

let database: TestDatabase
let db: Database
let server: Server
let url: string
/** What the fake server of the bank answers with. */
let answer = { status: 200, body: '' }

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(asRole(database.url, 'brickmark_worker'), { size: 1 }))
  server = createServer((_, response) => response.writeHead(answer.status).end(answer.body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/eurofxref-daily.xml`
})
afterAll(async () => {
  server.close()
  await db.destroy()
  await database.drop()
})

const serve = (day: string, rates: Record<string, number>) => {
  answer = { status: 200, body: ecbRates(day, rates) }
}
const euroOn = async (day: string) => (await findExchangeRate(db, 'EUR', dayNumber(day)))?.perUsd

test('rates are read once a day; older ones change nothing', async () => {
  serve('2026-11-18', { USD: 1.25, GBP: 0.8 })
  expect(await refreshExchangeRates(db, url)).toEqual({ day: '2026-11-18', saved: 2 })
  expect(await findCurrencies(db, dayNumber('2026-11-18'))).toEqual(['EUR', 'GBP'])
  expect(await euroOn('2026-11-18')).toBe(0.8)
  expect(await refreshExchangeRates(db, url)).toEqual({ day: '2026-11-18', saved: 0 })
  serve('2026-11-17', { USD: 2 })
  expect(await refreshExchangeRates(db, url)).toEqual({ day: '2026-11-17', saved: 0 })
  expect(await euroOn('2026-11-18')).toBe(0.8)
  serve('2026-11-19', { USD: 1.6, CHF: 0.95 })
  expect(await refreshExchangeRates(db, url)).toEqual({ day: '2026-11-19', saved: 2 })
  expect(await euroOn('2026-11-19')).toBe(0.625)
})

test('a rate is used for a week', async () => {
  // The pound wasn't part of the rates of November 19.
  expect(await findCurrencies(db, dayNumber('2026-11-25'))).toEqual(['CHF', 'EUR', 'GBP'])
  expect(await findCurrencies(db, dayNumber('2026-11-26'))).toEqual(['CHF', 'EUR'])
  expect(await euroOn('2026-11-27')).toBeUndefined()
})

test.each([
  ['an error', { status: 503, body: 'busy' }, 'Downloading the exchange rates failed: HTTP 503.'],
  ['another page', { status: 200, body: '<html></html>' }, 'These aren’t reference rates of the ECB'],
])('%s instead of rates changes nothing', async (_, wrong, message) => {
  answer = wrong
  await expect(refreshExchangeRates(db, url)).rejects.toThrow(message)
  expect(await euroOn('2026-11-19')).toBe(0.625)
})

test('rates can be in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rates-'))
  await writeFile(join(folder, 'rates.xml'), ecbRates('2026-11-20', { USD: 2 }))
  expect(await refreshExchangeRates(db, pathToFileURL(join(folder, 'rates.xml')).href)).toEqual({
    day: '2026-11-20',
    saved: 1,
  })
  await rm(folder, { recursive: true })
})

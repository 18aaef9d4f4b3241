import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api.generated.ts'
import { Brickmark, NotFoundError, TierRequiredError } from '../src/index.ts'
import { downloadExport, readExport } from '../src/exports.ts'
import { HOLDINGS, startTestService, SALES, type TestService } from './support/test-service.ts'

let service: TestService
let brickmark: Brickmark
const asked = new Set<string>()

beforeAll(async () => {
  service = await startTestService()
  brickmark = new Brickmark({
    apiKey: service.account.key,
    baseUrl: service.baseUrl,
    fetch(url, init) {
      asked.add(`${init?.method} ${new URL(url as string).pathname}`)
      return fetch(url, init)
    },
  })
})
afterAll(() => service.api.stop())

describe('every operation, on a real service', () => {
  test('getSet returns data and meta', async () => {
    const { data, meta } = await brickmark.getSet('90001')
    expect(data).toMatchObject({ set_number: '90001-1', title: 'Tidewater Lighthouse', new_value_usd: 100 })
    expect(meta).toMatchObject({ apiVersion: '1', rateLimit: { limit: 1000 } })
    expect(meta.requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect(meta.rateLimit.reset.getTime()).toBeGreaterThan(Date.now())
  })

  test('getSet escapes the number in the path', async () => {
    const error = await brickmark.getSet('a/b?c').catch((error: unknown) => error)
    expect(error).toBeInstanceOf(NotFoundError)
    expect((error as Error).message).toContain('a/b?c')
  })

  test('getMinifig', async () => {
    expect((await brickmark.getMinifig('HBR001')).data.name).toBe('Lighthouse Keeper')
  })

  test('searchSets and searchMinifigs', async () => {
    expect(await brickmark.searchSets('tide light').toArray()).toMatchObject([{ set_number: '90001-1' }])
    expect(await brickmark.searchMinifigs('keeper').toArray()).toMatchObject([{ minifig_number: 'hbr001' }])
  })

  test('listThemes', async () => {
    expect(await brickmark.listThemes().toArray()).toEqual([{ theme: 'Harbor', set_count: 2 }])
  })

  test('getBatch reports missing items', async () => {
    const { data } = await brickmark.getBatch({ sets: ['90001', ' 90001-1 ', '1'], minifigs: ['hbr001', 'HBR001'] })
    expect(data.summary).toEqual({ requested: 3, found: 2 })
    expect(data.sets).toMatchObject([{ title: 'Tidewater Lighthouse' }, { set_number: '1', found: false }])
    expect(data.minifigs).toHaveLength(1)
  })

  test('getSetHistory', async () => {
    const { data } = await brickmark.getSetHistory('90001-1', { condition: 'sealed' })
    expect(data.history.map(({ value_usd }) => value_usd)).toEqual([90, 95, 100])
  })

  test('getSetRetailPrices and findRetailPrices', async () => {
    expect((await brickmark.getSetRetailPrices('90001-1')).data).toMatchObject({
      retailer_a: { price: 50 },
      paid: 60.35,
    })
    expect((await brickmark.getSetRetailPrices('90002-1')).data).toBeNull()
    expect((await brickmark.findRetailPrices({ asin: 'b0abcd1234' })).data).toMatchObject({ setNumber: '90001-1' })
  })

  test('watchRetailPrices', async () => {
    const rows = await brickmark.watchRetailPrices({ changed_within: '3h' }).toArray()
    expect(rows.map(({ setNumber }) => setNumber)).toEqual(['90001-1'])
    expect(await brickmark.watchRetailPrices({ changed_within: '1m' }).toArray()).toEqual([])
  })

  test('listBrickfolios and getAnalytics', async () => {
    expect((await brickmark.listBrickfolios()).data.brickfolios).toMatchObject([{ owned_item_count: HOLDINGS }])
    expect((await brickmark.getAnalytics({ period: '30d' })).data).toMatchObject({ period: '30d' })
  })

  test('listEntries costs two credits for all lots and one for the first few', async () => {
    const before = await service.api.creditsUsed(service.account)
    const entries = await brickmark.listEntries().toArray()
    expect(entries).toHaveLength(HOLDINGS)
    expect(await service.api.creditsUsed(service.account)).toBe(before + 2)
    expect(await brickmark.listEntries({ brickfolio_id: service.brickfolioId }).toArray({ max: 3 })).toHaveLength(3)
    expect(await service.api.creditsUsed(service.account)).toBe(before + 3)
  })

  test("leaving a for await loop early doesn't fetch another page", async () => {
    const before = await service.api.creditsUsed(service.account)
    let seen = 0
    for await (const holding of brickmark.listEntries()) {
      expect(holding.set_number).toBe('90001-1')
      if (++seen === 10) break
    }
    expect(await service.api.creditsUsed(service.account)).toBe(before + 1)
  })

  test('pages carry their meta and the total', async () => {
    const pages = []
    for await (const page of brickmark.listEntries().pages()) pages.push(page)
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
      [250, HOLDINGS],
      [10, HOLDINGS],
    ])
    expect(pages[1]!.meta.rateLimit.remaining).toBe(pages[0]!.meta.rateLimit.remaining - 1)
  })

  test('listSales', async () => {
    expect(await brickmark.listSales().toArray()).toHaveLength(SALES)
  })

  test('findSales', async () => {
    const all = await brickmark.listSales().toArray()
    expect(await brickmark.findSales({ from: all.at(-1)!.sale_date, set_number: '90001' }).toArray()).toEqual(all)
    expect(await brickmark.findSales({ to: '1999-12-31' }).toArray()).toEqual([])
  })

  test('listLots', async () => {
    const lots = await brickmark.listLots({ condition: 'sealed' }).toArray()
    expect(lots).toHaveLength(HOLDINGS)
    expect(lots[0]).toMatchObject({ set_number: '90001-1', collection: 'Stock', notes: null })
  })

  test('listSets', async () => {
    expect(await brickmark.listSets({ theme: 'harbor' }).toArray()).toHaveLength(2)
    expect(await brickmark.listSets({ q: 'tide', status_id: 1 }).toArray()).toEqual([])
  })

  test('listChanges', async () => {
    const { data } = await brickmark.listChanges()
    expect(data).toMatchObject({ changes: [], has_more: false })
    expect((await brickmark.listChanges({ after: data.next })).data.changes).toEqual([])
  })

  test('listAlerts', async () => {
    expect(await brickmark.listAlerts().toArray()).toMatchObject([
      {
        number: '90001-1',
        reason: '$50.00 ≤ your $55.00 at Retailer A',
        price_usd: 50,
        threshold_usd: 55,
        read: false,
      },
    ])
  })

  test('listExports and readExport', async () => {
    const { data } = await brickmark.listExports()
    expect(data.exports.map(({ dataset, rows }) => [dataset, rows])).toEqual([
      ['sets', 2],
      ['minifigs', 1],
      ['history', 1],
    ])
    const { retailers: _retailers, ...set } = (await brickmark.getSet('90001-1')).data
    const sets = []
    for await (const row of readExport(brickmark, 'sets')) sets.push(row)
    expect(sets).toMatchObject([set, { set_number: '90002-1' }])
    for await (const row of readExport(brickmark, 'history'))
      expect(row).toEqual((await brickmark.getSetHistory('90001-1')).data)
  })

  test('readExport: leaving the loop ends the download, and errors are those of every request', async () => {
    for await (const row of readExport(brickmark, 'sets')) {
      expect(row.set_number).toBe('90001-1')
      break
    }
    const failing = brickmark.withOptions({
      maxRetries: 0,
      fetch: (url, init) => ((url as string).endsWith('.gz') ? Promise.reject(new Error('lost')) : fetch(url, init)),
    })
    await expect(readExport(failing, 'sets').next()).rejects.toMatchObject({ code: 'APIConnectionError' })
    const { data } = await brickmark.listExports()
    const gone = { ...data.exports[0]!, path: '/api/extensions/v1/exports/sets-20200101T000000Z.ndjson.gz' }
    await expect(downloadExport(brickmark, gone).next()).rejects.toBeInstanceOf(NotFoundError)
  })

  test('getUsage', async () => {
    const used = await service.api.creditsUsed(service.account)
    const { data } = await brickmark.getUsage({ days: 1 })
    expect(data).toMatchObject({ limit: 1000, used, remaining: 1000 - used })
    expect(data.days).toHaveLength(1)
  })

  test('getRateLimit is free', async () => {
    const before = await service.api.creditsUsed(service.account)
    expect(await brickmark.getRateLimit()).toMatchObject({ limit: 1000, remaining: 1000 - before })
    expect(await service.api.creditsUsed(service.account)).toBe(before)
  })

  test('getRateLimit is free on a server without extensions too', async () => {
    const asked: string[] = []
    const old = brickmark.withOptions({
      fetch(url, init) {
        const { pathname } = new URL(url as string)
        asked.push(pathname)
        return fetch(pathname.startsWith('/api/extensions/') ? `${service.api.origin}/api/v1/nothing` : url, init)
      },
    })
    const used = await service.api.creditsUsed(service.account)
    expect(await old.getRateLimit()).toMatchObject({ remaining: 1000 - used })
    expect(asked).toEqual(['/api/extensions/v1/usage', '/api/v1/catalog/sets/search'])
  })

  test('these tests cover every operation', () => {
    const patterns = Object.values(endpoints).map(
      ({ method, path }) => `${method} ${path.startsWith('/api/') ? '' : '/api/v1'}${path}`,
    )
    const missed = patterns.filter(
      (pattern) => ![...asked].some((request) => new RegExp(`^${pattern.replace(/\{\w+\}/, '[^/]+')}$`).test(request)),
    )
    expect(missed).toEqual([])
  })
})

test('403 throws TierRequiredError if the plan has no API access', async () => {
  const hobby = await service.api.createAccount({ plan: 'hobby' })
  const error = await new Brickmark({ apiKey: hobby.key, baseUrl: service.baseUrl })
    .getSet('90001-1')
    .catch((e: unknown) => e)
  expect(error).toBeInstanceOf(TierRequiredError)
  expect(error).toMatchObject({ name: 'TierRequiredError', code: 'TierRequired', status: 403 })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addSet, addValue, type TestAccount } from '@brickmark/tests/support/fixtures'

type Item = { set_number: string; minifig_number: string; found: boolean }
type Batch = { sets: Item[]; minifigs: Item[]; summary: { requested: number; found: number } }

let api: TestApi
let account: TestAccount

async function seed(db: Database): Promise<void> {
  await addSet(db, { set_number: '90001-1', title: 'Tidewater Lighthouse' })
  await addSet(db, { set_number: '90002-1' })
  await addSet(db, { set_number: '500' })
  await addValue(db, { set_number: '90001-1', value_cents: 11240 })
  await db
    .insertInto('catalog.minifig')
    .values({ minifig_number: 'hbr001', name: 'Lighthouse Keeper', color: 'Dark Blue' })
    .execute()
  await db
    .insertInto('catalog.set_minifig')
    .values({ set_number: '90001-1', minifig_number: 'hbr001', quantity: 2 })
    .execute()
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
})
afterAll(() => api.stop())

const send = (body: unknown, caller = account) => api.post<Batch>('/catalog/batch', caller, body)
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `${10_000 + from + index}-1`)

test('200: returns the complete Set and Minifig with `found` for items that exist', async () => {
  const set = await api.get<object>('/set/90001-1', account)
  const minifig = await api.get<object>('/minifig/hbr001', account)
  const { data } = await send({ sets: ['90001-1', '1'], minifigs: ['hbr001', 'xyz9'] })
  expect(data).toEqual({
    sets: [
      { ...set.data, found: true },
      { set_number: '1', found: false },
    ],
    minifigs: [
      { ...minifig.data, found: true },
      { minifig_number: 'xyz9', found: false },
    ],
    summary: { requested: 4, found: 2 },
  })
  expect(data.sets[0]).toMatchObject({ new_value_usd: 112.4, used_value_usd: null, minifigs_count: 2 })
  expect(data.minifigs[0]).toMatchObject({ color: 'Dark Blue', current_value_usd: null, sets: ['90001-1'] })
})

describe('deduplication', () => {
  test.each([
    ['trimmed', { sets: [' 90001-1 ', '\t90001-1\n'] }, ['90001-1'], []],
    ['duplicates', { sets: ['90001-1', '90002-1', '90001-1'] }, ['90001-1', '90002-1'], []],
    ['in order of first appearance', { sets: ['90002-1', '1', '90001-1', '90002'] }, ['90002-1', '1', '90001-1'], []],
    ['two notations of a set', { sets: ['90001', '90001-1'] }, ['90001-1'], []],
    ['two notations of a set stored without variant', { sets: ['500-1', '500'] }, ['500'], []],
    ['two notations of a missing set, returned as first given', { sets: ['77-1', '77'] }, ['77-1'], []],
    ['a minifig in two cases', { minifigs: ['HBR001', 'hbr001'] }, [], ['hbr001']],
    ['a missing minifig in two cases', { minifigs: ['Xyz9', 'xYZ9'] }, [], ['Xyz9']],
    ['the same number in both lists counts twice', { sets: ['hbr001'], minifigs: ['hbr001'] }, ['hbr001'], ['hbr001']],
    ['variants count as different sets', { sets: ['77-1', '77-2'] }, ['77-1', '77-2'], []],
    ['an empty and a non-empty list', { sets: [], minifigs: ['hbr001'] }, [], ['hbr001']],
  ])('200: %s', async (_why, body, sets, minifigs) => {
    const before = await api.creditsUsed(account)
    const { data, meta } = await send(body)
    expect(data.sets.map((item) => item.set_number)).toEqual(sets)
    expect(data.minifigs.map((item) => item.minifig_number)).toEqual(minifigs)
    expect(data.summary.requested).toBe(sets.length + minifigs.length)
    expect(data.summary.found).toBe([...data.sets, ...data.minifigs].filter((item) => item.found).length)
    expect(meta.rate_limit.remaining).toBe(1000 - before - data.summary.requested)
    expect(await api.creditsUsed(account)).toBe(before + data.summary.requested)
  })
})

describe('quota', () => {
  test('200: charges 100 credits for 100 different numbers, found or not', async () => {
    const exact = await api.createAccount({ limit: 100 })
    const { data, meta } = await send({ sets: [...numbers(59), '90001-1'], minifigs: numbers(40) }, exact)
    expect(data.summary).toEqual({ requested: 100, found: 1 })
    expect(meta.rate_limit.remaining).toBe(0)
    expect(await api.creditsUsed(exact)).toBe(100)
  })

  test('429: rejects a batch that exceeds the remaining quota entirely and charges nothing', async () => {
    const limited = await api.createAccount({ limit: 10 })
    await send({ sets: numbers(4) }, limited)
    const response = await send({ sets: numbers(7) }, limited)
    expect([response.status, response.error.code]).toEqual([429, 'QuotaExceeded'])
    expect(response.headers['x-ratelimit-remaining']).toBe('6')
    expect(await api.creditsUsed(limited)).toBe(4)
    expect((await send({ sets: numbers(6) }, limited)).meta.rate_limit.remaining).toBe(0)
    expect(await api.creditsUsed(limited)).toBe(10)
  })

  test('429: rejects a batch that exceeds the daily quota', async () => {
    const limited = await api.createAccount({ limit: 3 })
    expect((await send({ sets: numbers(4) }, limited)).status).toBe(429)
    expect(await api.creditsUsed(limited)).toBe(0)
  })

  test("200: duplicates don't count toward the quota", async () => {
    const limited = await api.createAccount({ limit: 2 })
    expect((await send({ sets: ['1', '1-1', ' 1 ', '2', '2', '2-1'] }, limited)).status).toBe(200)
    expect(await api.creditsUsed(limited)).toBe(2)
  })
})

describe('invalid bodies', () => {
  const duplicates = { sets: Array.from({ length: 150 }, () => '90001-1') }
  test('200: counts 150 duplicates as one item', async () => {
    expect((await send(duplicates)).data.summary).toEqual({ requested: 1, found: 1 })
  })

  test.each([
    ['no lists', {}],
    ['two empty lists', { sets: [], minifigs: [] }],
    ['101 sets', { sets: numbers(101) }],
    ['101 items in both lists combined', { sets: numbers(51), minifigs: numbers(50) }],
    ['an empty number', { sets: ['90001-1', ''] }],
    ['a blank number', { minifigs: ['  '] }],
    ['a JSON number as a number', { sets: [90001] }],
    ['a null number', { sets: [null] }],
    ['a nested list', { sets: [['90001-1']] }],
    ['a string instead of a list', { sets: '90001-1' }],
    ['null instead of a list', { sets: null, minifigs: ['hbr001'] }],
    ['an object instead of a list', { sets: { 0: '90001-1' } }],
    ['an unknown key', { sets: ['90001-1'], set: ['90001-1'] }],
    ['a key in the wrong case', { Sets: ['90001-1'] }],
    ['a NUL', { sets: ['9\u00000001-1'] }],
    ['a number of 65 characters', { sets: ['9'.repeat(65)] }],
    ['a list as the body', ['90001-1']],
    ['a string as the body', '"90001-1"'],
    ['a number as the body', '1'],
    ['null as the body', 'null'],
    ['true as the body', 'true'],
    ['an empty body', ''],
    ['an open brace', '{'],
    ['a trailing comma', '{"sets":["90001-1"],}'],
    ['a single-quoted key', "{'sets':['90001-1']}"],
    ['two documents', '{"sets":["1"]}{"sets":["1"]}'],
    ['a __proto__ key', '{"sets":["1"],"__proto__":{"x":1}}'],
    ['a constructor key', '{"sets":["1"],"constructor":{"prototype":{"x":1}}}'],
    ['deeply nested JSON', `{"sets":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['a body over 64 KB', JSON.stringify({ sets: ['90001-1'], pad: 'x'.repeat(65_536) })],
    ['white space over 64 KB', `{"sets":["90001-1"]}${' '.repeat(65_536)}`],
  ])('400: rejects %s and charges nothing', async (_why, body) => {
    const before = await api.creditsUsed(account)
    const response = await send(body)
    expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
    expect(response.headers['x-ratelimit-remaining']).toBe(String(1000 - before))
    expect(await api.creditsUsed(account)).toBe(before)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-patch+json',
    'application/octet-stream',
    'nonsense',
    '',
  ])('400: rejects content type %j', async (type) => {
    const response = await fetch(`${api.origin}/api/v1/catalog/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': type },
      body: Buffer.from('{"sets":["90001-1"]}'),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'BadRequest' } })
    expect(response.headers.get('x-ratelimit-limit')).toBe('1000')
  })

  test('200: accepts a content type with a charset', async () => {
    const response = await fetch(`${api.origin}/api/v1/catalog/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'Application/JSON; charset=UTF-8' },
      body: '{"sets":["90001-1"]}',
    })
    expect(response.status).toBe(200)
  })

  test('400: the message names the problem', async () => {
    expect((await send({ sets: ['1', 2] })).error.message).toContain('`sets[1]`')
    expect((await send({ set: ['1'] })).error.message).toContain('`set`')
    expect((await send({ sets: numbers(101) })).error.message).toContain('101')
  })
})

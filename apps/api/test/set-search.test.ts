import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addSet, type TestAccount } from '@brickmark/tests/support/fixtures'

type Page = {
  results: { set_number: string }[]
  pagination: { total: number; limit: number; offset: number; has_more: boolean }
}

let api: TestApi
let account: TestAccount

const DAY_MS = 86_400_000
const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)

async function seed(db: Database): Promise<void> {
  await addSet(db, {
    set_number: '90001-1',
    title: 'Tidewater Lighthouse',
    theme: 'Harbor',
    subtheme: 'Coast',
    pieces: 812,
    release_date: '2023-03-01',
    retire_date: '2024-12-31',
    image_url: 'https://images.brickmark.example/sets/90001-1.png',
  })
  await addSet(db, { set_number: '500', title: 'Bare Crate', theme: 'Oddments' })
  await addSet(db, { set_number: '501-1', title: 'Nearly gone', release_date: '2020-02-29', retire_date: tomorrow })
  await addSet(db, { set_number: '600-1', title: 'Château Élysée at Dusk' })
  await addSet(db, { set_number: '601-1', title: 'CHATEAU GATE' })
  await addSet(db, { set_number: '602-1', title: '100% Cotton_Mill (old) [x] .* \\ tower' })
  // For the order: `42` is an exact number, a number prefix, a name prefix and a part of names.
  await addSet(db, { set_number: '42-1', title: 'Zebra' })
  await addSet(db, { set_number: '42-2', title: 'Yak' })
  await addSet(db, { set_number: '4210-1', title: 'Xylophone' })
  await addSet(db, { set_number: '429-1', title: 'Walrus' })
  await addSet(db, { set_number: '1000-1', title: '42 Answers' })
  await addSet(db, { set_number: '999-1', title: '42nd Street' })
  await addSet(db, { set_number: '998-1', title: 'Route 42' })
  await addSet(db, { set_number: '2000-1', title: 'The 42 Club' })
  for (let index = 1; index <= 30; index++) {
    await addSet(db, { set_number: `7${index}-1`, title: `Paged Bridge ${index}` })
  }
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
})
afterAll(() => api.stop())

const search = (query: string) => api.get<Page>(`/catalog/sets/search?${query}`, account)
async function numbers(q: string): Promise<string[]> {
  const { data } = await search(`q=${encodeURIComponent(q)}`)
  expect(data.pagination.total).toBe(data.results.length)
  return data.results.map((result) => result.set_number)
}

test('200: returns all eight identity fields when everything is known', async () => {
  const { data } = await search('q=tidewater')
  expect(data).toEqual({
    results: [
      {
        set_number: '90001-1',
        title: 'Tidewater Lighthouse',
        theme: 'Harbor',
        subtheme: 'Coast',
        pieces: 812,
        year: 2023,
        retired: true,
        image_url: 'https://images.brickmark.example/sets/90001-1.png',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false },
  })
})

test('200: returns all eight fields, as null when unknown', async () => {
  const { data } = await search('q=bare+crate')
  expect(data.results).toEqual([
    {
      set_number: '500',
      title: 'Bare Crate',
      theme: 'Oddments',
      subtheme: null,
      pieces: null,
      year: null,
      retired: false,
      image_url: null,
    },
  ])
})

test('200: a set with a future retirement date is not retired', async () => {
  const { data } = await search('q=nearly')
  expect(data.results).toMatchObject([{ set_number: '501-1', retired: false, year: 2020 }])
})

describe('matching', () => {
  test.each([
    ['any case', 'tIDEwater', ['90001-1']],
    ['inside a word', 'dewat', ['90001-1']],
    ['accents in the name', 'chateau elysee', ['600-1']],
    ['accents in the query', 'ÉLYSÉE', ['600-1']],
    ['accents as combining marks', 'E\u0301lyse\u0301e', ['600-1']],
    ['with and without accents alike', 'château', ['600-1', '601-1']],
    ['every term, in any order', 'dusk chateau', ['600-1']],
    ['terms of number and name', '600 dusk', ['600-1']],
    ['terms separated by any whitespace', '  gate \t chateau ', ['601-1']],
    ['a term that does not match', 'chateau bridge', []],
    ['a number prefix', '9000', ['90001-1']],
    ['a full number', '90001-1', ['90001-1']],
    ['inside a number', '0001-1', ['90001-1']],
    ['a number without its hyphen', '900011', ['90001-1']],
    ['not the theme', 'harbor', []],
    ['not the subtheme', 'coast', []],
    ['without a percent sign', '100 cotton', ['602-1']],
    ['a percent sign is not a wildcard', '1%n', []],
    ['punctuation in the name', 'cottonmill old', ['602-1']],
    ['punctuation in the query', 'cotton_mill, (old)!', ['602-1']],
    ['an underscore is not a wildcard', 'c_tton', []],
    ['only punctuation', '.*', []],
    ['no match', 'qqqq', []],
    ['two one-character terms', 'z e', ['42-1']],
  ])('200: %s: %j', async (_why, q, found) => {
    expect(await numbers(q)).toEqual(found)
  })
})

test('200: orders by exact number, number prefix, name prefix, then the rest; ties in natural order', async () => {
  expect(await numbers('42')).toEqual(['42-1', '42-2', '429-1', '4210-1', '999-1', '1000-1', '998-1', '2000-1'])
  expect((await numbers('42-2'))[0]).toBe('42-2')
})

describe('pagination', () => {
  const all = Array.from({ length: 30 }, (_, index) => `7${index + 1}-1`).sort(
    (a, b) => parseInt(a, 10) - parseInt(b, 10),
  )

  test('200: the pages cover the full list without overlap', async () => {
    const seen: string[] = []
    for (let offset = 0, more = true; more; offset += 7) {
      const { data } = await search(`q=paged+bridge&limit=7&offset=${offset}`)
      expect(data.pagination).toEqual({ total: 30, limit: 7, offset, has_more: offset + 7 < 30 })
      seen.push(...data.results.map((result) => result.set_number))
      more = data.pagination.has_more
    }
    expect(seen).toEqual(all)
  })

  test('200: has_more is false when the page ends at the last result', async () => {
    const { data } = await search('q=paged&limit=15&offset=15')
    expect([data.results.length, data.pagination.has_more]).toEqual([15, false])
  })

  test('200: returns an empty page past the end', async () => {
    const { data } = await search('q=paged&offset=2147483647&limit=250')
    expect(data).toEqual({
      results: [],
      pagination: { total: 30, limit: 250, offset: 2147483647, has_more: false },
    })
  })

  test('200: the default limit is 50', async () => {
    const { data } = await search('q=paged')
    expect(data.pagination).toEqual({ total: 30, limit: 50, offset: 0, has_more: false })
  })
})

describe('invalid parameters', () => {
  test.each([
    '',
    'q=',
    'q=a',
    'q=%20a%20',
    'q=%20%20%20',
    'q=%09%0A',
    'q=a%00b',
    `q=${'a'.repeat(201)}`,
    'q=ab&q=cd',
    'q[]=ab',
    'Q=ab',
    'q=ab&limit=0',
    'q=ab&limit=251',
    'q=ab&limit=-1',
    'q=ab&limit=1e2',
    'q=ab&limit=%2B5',
    'q=ab&limit=5.0',
    'q=ab&limit=%205',
    'q=ab&limit=0x10',
    'q=ab&limit=',
    'q=ab&limit=%D9%A5',
    'q=ab&limit=5&limit=5',
    'q=ab&offset=-1',
    'q=ab&offset=1e2',
    'q=ab&offset=2147483648',
    'q=ab&offset=99999999999999999999',
    'q=ab&offset=1&offset=2',
    'q=%ZZ',
    'q=ab%',
    'q=%FF%FE',
  ])('400: rejects %j and charges nothing', async (query) => {
    const before = await api.creditsUsed(account)
    const response = await search(query)
    expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
    expect(await api.creditsUsed(account)).toBe(before)
  })

  test('400: names a missing `q`', async () => {
    expect((await search('limit=5')).error.message).toContain('`q`')
  })
})

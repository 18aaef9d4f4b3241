import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import type { TestAccount } from '@brickmark/tests/support/fixtures'

type Page = {
  results: { minifig_number: string }[]
  pagination: { total: number; limit: number; offset: number; has_more: boolean }
}

let api: TestApi
let account: TestAccount

async function seed(db: Database): Promise<void> {
  await db
    .insertInto('catalog.minifig')
    .values([
      {
        minifig_number: 'hbr001',
        name: 'Lighthouse Keeper',
        category: 'Harbor',
        color: 'Dark Blue',
        year_released: 2023,
        image_url: 'https://images.brickmark.example/minifigs/hbr001.png',
      },
      { minifig_number: 'SW10', name: 'Señor Ibáñez' },
      { minifig_number: 'sw9', name: 'Wanderer' },
      { minifig_number: 'sw10a', name: 'Pilot' },
      { minifig_number: 'abc2', name: 'SW10 impostor' },
      { minifig_number: 'abc1', name: 'The SW10 fan' },
    ])
    .execute()
  await db
    .insertInto('catalog.minifig')
    .values(Array.from({ length: 12 }, (_, index) => ({ minifig_number: `pg${index + 1}`, name: 'Paged Diver' })))
    .execute()
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
})
afterAll(() => api.stop())

const search = (query: string) => api.get<Page>(`/catalog/minifigs/search?${query}`, account)
const numbersOf = ({ results }: Page) => results.map((result) => result.minifig_number)

test('200: returns all five identity fields when everything is known', async () => {
  const { data } = await search('q=keeper')
  expect(data).toEqual({
    results: [
      {
        minifig_number: 'hbr001',
        name: 'Lighthouse Keeper',
        category: 'Harbor',
        year_released: 2023,
        image_url: 'https://images.brickmark.example/minifigs/hbr001.png',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false },
  })
})

test('200: returns all five fields, as null when unknown', async () => {
  const { data } = await search('q=wanderer')
  expect(data.results).toEqual([
    { minifig_number: 'sw9', name: 'Wanderer', category: null, year_released: null, image_url: null },
  ])
})

test.each([
  ['matches numbers in any case', 'HBR0', ['hbr001']],
  ['ignores accents', 'ibanez SENOR', ['SW10']],
  ['requires every term to match', 'light pilot', []],
  ['ignores category and color', 'blue', []],
  ['orders by exact number, number prefix, name prefix, rest', 'sw10', ['SW10', 'sw10a', 'abc2', 'abc1']],
  ['sorts numbers in natural order', 'sw', ['sw9', 'SW10', 'sw10a', 'abc2', 'abc1']],
])('200: %s: %j', async (_why, q, found) => {
  expect(numbersOf((await search(`q=${encodeURIComponent(q)}`)).data)).toEqual(found)
})

test('200: the pages cover the full list in natural order without overlap', async () => {
  const seen: string[] = []
  for (let offset = 0; offset < 15; offset += 5) {
    const { data } = await search(`q=paged&limit=5&offset=${offset}`)
    expect(data.pagination).toEqual({ total: 12, limit: 5, offset, has_more: offset < 10 })
    seen.push(...numbersOf(data))
  }
  expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => `pg${index + 1}`))
})

test.each([
  '',
  'q=',
  'q=x',
  'q=+x+',
  'q=%00%00',
  'q=ab&q=ab',
  'q=ab&limit=0',
  'q=ab&limit=251',
  'q=ab&limit=1e2',
  'q=ab&limit=+5',
  'q=ab&limit=5.0',
  'q=ab&offset=-1',
  'q=ab&offset=0&offset=0',
  'q=%C3%28',
])('400: rejects %j and charges nothing', async (query) => {
  const before = await api.creditsUsed(account)
  const response = await search(query)
  expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
  expect(await api.creditsUsed(account)).toBe(before)
})

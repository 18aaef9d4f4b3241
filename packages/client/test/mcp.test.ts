import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLI_PATH } from './support/cli.ts'
import { HOLDINGS, startTestService, SALES, type TestService } from './support/test-service.ts'
import { systemNode } from './support/system-node.ts'

let shop: TestService
let home: string
let client: Client

beforeAll(async () => {
  shop = await startTestService()
  home = await mkdtemp(join(tmpdir(), 'brickmark-mcp-'))
  client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: systemNode(),
      args: [CLI_PATH, 'mcp'],
      cwd: home,
      env: { HOME: home, BRICKMARK_API_KEY: shop.account.key, BRICKMARK_BASE_URL: shop.baseUrl },
    }),
  )
})
afterAll(async () => {
  await client.close()
  await shop.api.stop()
  await rm(home, { recursive: true })
})
beforeEach(() => spentToday(0))

const ledger = () => join(home, '.local/state/brickmark/mcp-units.json')
const today = () => new Date().toISOString().slice(0, 10)

async function spentToday(used: number): Promise<void> {
  await mkdir(join(home, '.local/state/brickmark'), { recursive: true })
  writeFileSync(ledger(), JSON.stringify({ day: today(), used }))
}

async function call(name: string, args: object = {}): Promise<{ text: string; isError: boolean }> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
  const [{ text }] = result.content as [{ text: string }]
  return { text, isError: result.isError === true }
}

async function answer(name: string, args: object = {}): Promise<Record<string, unknown>> {
  const { text, isError } = await call(name, args)
  expect(isError, text).toBe(false)
  return JSON.parse(text) as Record<string, unknown>
}

test('lists seven read-only tools, each with its cost', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'search',
    'get_items',
    'value_history',
    'retail_price',
    'my_portfolio',
    'my_watch',
    'my_sales',
  ])
  for (const { annotations, description } of tools) {
    expect(annotations?.readOnlyHint).toBe(true)
    expect(description).toMatch(/Costs 1 credit/)
  }
})

describe('results, on a real service', () => {
  test.each([
    ['search', { query: 'tide' }, { matches: 1, results: [{ set_number: '90001-1', title: 'Tidewater Lighthouse' }] }],
    ['search', { query: 'keeper', kind: 'minifigs' }, { results: [{ minifig_number: 'hbr001' }] }],
    [
      'get_items',
      { sets: ['90001', '1'], minifigs: ['hbr001'] },
      {
        sets: [{ sealed_value_usd: 100, used_value_usd: 71.1, as_of: '2026-06-27T03:10:00.000Z' }, { found: false }],
        minifigs: [{ name: 'Lighthouse Keeper' }],
      },
    ],
    [
      'value_history',
      { set: '90001', months: 2 },
      { history: [{ month: '2026-02' }, { month: '2026-03', value_usd: 100 }] },
    ],
    [
      'retail_price',
      { set: '90001' },
      { retail: { retailer_a: { price: 50 }, retailer_b: null, you_paid_usd: 60.35 } },
    ],
    [
      'my_portfolio',
      { max: 1, order: 'loss' },
      { total_lots: HOLDINGS, lots_scanned: HOLDINGS, lots: [{ unrealized_gain_loss_usd: -50 }] },
    ],
    ['my_portfolio', { max: 1 }, { collections: [{ name: 'Stock' }], lots: [{ total_current_value_usd: 100 }] }],
    ['my_watch', {}, { total_changed: 1, changes: [{ set_number: '90001-1' }] }],
    ['my_sales', { max: 1 }, { total_sales: SALES, recent_totals: { sales: SALES, gross_usd: 300 } }],
  ])('%s %j', async (name, args, expected) => {
    const found = await answer(name, args)
    expect(found).toMatchObject(expected)
    expect(Date.parse(found['as_of'] as string)).toBeGreaterThan(Date.now() - 60_000)
    expect(found['credits_remaining']).toBeLessThan(200)
  })

  test('the local budget file and the service agree on the credits used', async () => {
    const before = await shop.api.creditsUsed(shop.account)
    await answer('get_items', { sets: ['90001', '90002', '3'] })
    await answer('my_portfolio')
    expect(await call('search', { query: 'x' })).toMatchObject({ isError: true })
    const spent = (await shop.api.creditsUsed(shop.account)) - before
    expect(spent).toBe(3 + 1 + 2)
    expect(JSON.parse(readFileSync(ledger(), 'utf8'))).toEqual({ day: today(), used: spent })
  })
})

describe('invalid calls return an error', () => {
  test.each([
    ['get_items', {}, 'Pass at least one set or minifig'],
    ['get_items', { sets: Array.from({ length: 21 }, (_, index) => `${index}`) }, 'Pass at most 20 items'],
    ['retail_price', {}, 'Pass set, asin or upc'],
    ['my_watch', { changed_within: 'a week' }, 'e.g. 24h'],
    ['value_history', { set: '1' }, 'No set found with number 1.'],
    ['search', { q: 'tide' }, 'query'],
  ])('%s %j', async (name, args, says) => {
    const { text, isError } = await call(name, args)
    expect(isError).toBe(true)
    expect(text).toContain(says)
  })
})

describe('budget of 200 credits per day', () => {
  test('allows the last credit and rejects the next call without sending a request', async () => {
    await spentToday(199)
    expect(await answer('search', { query: 'tide' })).toMatchObject({ credits_remaining: 0 })
    const before = await shop.api.creditsUsed(shop.account)
    const { text, isError } = await call('search', { query: 'tide' })
    expect(isError).toBe(true)
    expect(text).toContain('can use 200 credits per day (0 remaining)')
    expect(await shop.api.creditsUsed(shop.account)).toBe(before)
  })

  test('rejects a batch that exceeds the remaining budget', async () => {
    await spentToday(198)
    expect(await call('get_items', { sets: ['1', '2', '3'] })).toMatchObject({ isError: true })
    expect(await answer('get_items', { sets: ['1', '2'] })).toMatchObject({ credits_remaining: 0 })
  })

  test('resets on a new day', async () => {
    writeFileSync(ledger(), JSON.stringify({ day: '2020-01-01', used: 200 }))
    expect(await answer('search', { query: 'tide' })).toMatchObject({ credits_remaining: 199 })
    expect(existsSync(ledger())).toBe(true)
  })
})

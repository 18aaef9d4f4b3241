import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLI_PATH } from './support/cli.ts'
import { HOLDINGS, startTestService, SALES, type TestService } from './support/test-service.ts'
import { systemNode } from '@brickmark/tests/support/nodes'

let service: TestService
let home: string
let client: Client

beforeAll(async () => {
  service = await startTestService()
  home = await mkdtemp(join(tmpdir(), 'brickmark-mcp-'))
  client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: systemNode(),
      args: [CLI_PATH, 'mcp'],
      cwd: home,
      env: { HOME: home, BRICKMARK_API_KEY: service.account.key, BRICKMARK_BASE_URL: service.baseUrl },
    }),
  )
})
afterAll(async () => {
  await client.close()
  await service.api.stop()
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
  const isError = result.isError === true
  // The client has validated it against the tool's schema.
  if (!isError) expect(JSON.parse(text)).toEqual(result.structuredContent)
  return { text, isError }
}

async function answer(name: string, args: object = {}): Promise<Record<string, unknown>> {
  const { text, isError } = await call(name, args)
  expect(isError, text).toBe(false)
  return JSON.parse(text) as Record<string, unknown>
}

test('lists nine read-only tools, each with its cost', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'brickmark_search',
    'brickmark_get_items',
    'brickmark_get_value_history',
    'brickmark_get_retail_prices',
    'brickmark_get_my_portfolio',
    'brickmark_get_my_performance',
    'brickmark_get_my_price_changes',
    'brickmark_get_my_sales',
    'brickmark_get_my_alerts',
  ])
  for (const { annotations, description, outputSchema } of tools) {
    expect(outputSchema?.required).toEqual(expect.arrayContaining(['as_of', 'quota_remaining']))
    expect(annotations?.readOnlyHint).toBe(true)
    expect(description).toMatch(/Costs 1 credit/)
  }
})

describe('results, on a real service', () => {
  test.each([
    [
      'brickmark_search',
      { query: 'tide' },
      { matches: 1, results: [{ set_number: '90001-1', title: 'Tidewater Lighthouse' }] },
    ],
    ['brickmark_search', { theme: 'harbor', status: 'unknown', max: 1 }, { matches: 2 }],
    ['brickmark_search', { query: 'keeper', kind: 'minifigs' }, { results: [{ minifig_number: 'hbr001' }] }],
    [
      'brickmark_get_items',
      { sets: ['90001', '1'], minifigs: ['hbr001'] },
      {
        sets: [{ sealed_value_usd: 100, used_value_usd: 71.1, as_of: '2026-06-27T03:10:00.000Z' }, { found: false }],
        minifigs: [{ name: 'Lighthouse Keeper' }],
      },
    ],
    [
      'brickmark_get_value_history',
      { set: '90001', months: 2 },
      { history: [{ month: '2026-02' }, { month: '2026-03', value_usd: 100 }] },
    ],
    [
      'brickmark_get_retail_prices',
      { set: '90001' },
      { retail: { retailer_a: { price: 50 }, retailer_b: null, you_paid_usd: 60.35 } },
    ],
    [
      'brickmark_get_my_portfolio',
      { max: 1, order: 'loss' },
      { total_lots: HOLDINGS, lots_scanned: HOLDINGS, lots: [{ unrealized_gain_loss_usd: -50 }] },
    ],
    [
      'brickmark_get_my_portfolio',
      { max: 1 },
      { collections: [{ name: 'Stock' }], lots: [{ total_current_value_usd: 100 }] },
    ],
    ['brickmark_get_my_price_changes', {}, { total_changed: 1, changes: [{ set_number: '90001-1' }] }],
    ['brickmark_get_my_performance', { period: '30d' }, { total_sets: 1, total_items: 260 }],
    ['brickmark_get_my_sales', { to: '1999-12-31' }, { total_sales: 0, recent_totals: { sales: 0 } }],
    ['brickmark_get_my_alerts', {}, { total_alerts: 1, alerts: [{ number: '90001-1', retailer: 'Retailer A' }] }],
    ['brickmark_get_my_sales', { max: 1 }, { total_sales: SALES, recent_totals: { sales: SALES, gross_usd: 300 } }],
  ])('%s %j', async (name, args, expected) => {
    const found = await answer(name, args)
    expect(found).toMatchObject(expected)
    expect(Date.parse(found['as_of'] as string)).toBeGreaterThan(Date.now() - 60_000)
    expect(found['assistant_credits_remaining']).toBeLessThan(200)
    // The two limits are told apart.
    expect(found['quota_remaining']).toBe(1000 - (await service.api.creditsUsed(service.account)))
  })

  test('the local budget file and the service agree on the credits used', async () => {
    const before = await service.api.creditsUsed(service.account)
    await answer('brickmark_get_items', { sets: ['90001', '90002', '3'] })
    await answer('brickmark_get_my_portfolio')
    expect(await call('brickmark_search', { query: 'x' })).toMatchObject({ isError: true })
    for (const input of [{}, { kind: 'minifigs' }, { query: 'keeper', kind: 'minifigs', theme: 'Harbor' }])
      expect(await call('brickmark_search', input)).toMatchObject({ isError: true })
    const spent = (await service.api.creditsUsed(service.account)) - before
    expect(spent).toBe(3 + 1 + 2)
    expect(JSON.parse(readFileSync(ledger(), 'utf8'))).toEqual({ day: today(), used: spent })
  })
})

describe('invalid calls return an error', () => {
  test.each([
    ['brickmark_get_items', {}, 'Pass at least one set or minifig'],
    ['brickmark_get_items', { sets: Array.from({ length: 21 }, (_, index) => `${index}`) }, 'Pass at most 20 items'],
    ['brickmark_get_retail_prices', {}, 'Pass set, asin or upc'],
    ['brickmark_get_my_price_changes', { changed_within: 'a week' }, 'e.g. 24h'],
    ['brickmark_get_value_history', { set: '1' }, 'No set found with number 1.'],
    ['brickmark_search', { q: 'tide' }, 'query'],
  ])('%s %j', async (name, args, says) => {
    const { text, isError } = await call(name, args)
    expect(isError).toBe(true)
    expect(text).toContain(says)
  })
})

describe('budget of 200 credits per day', () => {
  test('allows the last credit and rejects the next call without sending a request', async () => {
    await spentToday(199)
    expect(await answer('brickmark_search', { query: 'tide' })).toMatchObject({ assistant_credits_remaining: 0 })
    const before = await service.api.creditsUsed(service.account)
    const { text, isError } = await call('brickmark_search', { query: 'tide' })
    expect(isError).toBe(true)
    expect(text).toContain('can use 200 credits per day (0 remaining)')
    expect(await service.api.creditsUsed(service.account)).toBe(before)
  })

  test('rejects a batch that exceeds the remaining budget', async () => {
    await spentToday(198)
    expect(await call('brickmark_get_items', { sets: ['1', '2', '3'] })).toMatchObject({ isError: true })
    expect(await answer('brickmark_get_items', { sets: ['1', '2'] })).toMatchObject({ assistant_credits_remaining: 0 })
  })

  test('resets on a new day', async () => {
    writeFileSync(ledger(), JSON.stringify({ day: '2020-01-01', used: 200 }))
    expect(await answer('brickmark_search', { query: 'tide' })).toMatchObject({ assistant_credits_remaining: 199 })
    expect(existsSync(ledger())).toBe(true)
  })
})

describe('without an API key', () => {
  test('the server starts, lists its tools, and every call says what to do', async () => {
    const keyless = new Client({ name: 'test', version: '1' })
    const empty = await mkdtemp(join(tmpdir(), 'brickmark-mcp-'))
    await keyless.connect(
      new StdioClientTransport({ command: systemNode(), args: [CLI_PATH, 'mcp'], cwd: empty, env: { HOME: empty } }),
    )
    expect((await keyless.listTools()).tools).toHaveLength(9)
    const result = await keyless.callTool({ name: 'brickmark_get_my_sales', arguments: {} })
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('brickmark login') }] })
    await keyless.close()
    await rm(empty, { recursive: true })
  })
})

describe('over streamable HTTP', () => {
  let server: ChildProcess
  let url: URL
  beforeAll(async () => {
    // Port 0 isn't accepted, so take one that was free a moment ago.
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    server = spawn(systemNode(), [CLI_PATH, 'mcp', '--http', String(port)], {
      cwd: home,
      env: { HOME: home, BRICKMARK_API_KEY: service.account.key, BRICKMARK_BASE_URL: service.baseUrl },
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    const [line] = (await once(server.stderr!, 'data')) as [Buffer]
    url = new URL(/http:\S+\/mcp/.exec(line.toString())![0])
  })
  afterAll(() => server.kill())

  test('serves the same tools', async () => {
    const remote = new Client({ name: 'test', version: '1' })
    await remote.connect(new StreamableHTTPClientTransport(url))
    expect((await remote.listTools()).tools).toHaveLength(9)
    const result = await remote.callTool({ name: 'brickmark_search', arguments: { query: 'tide' } })
    expect(result.structuredContent).toMatchObject({ matches: 1 })
    await remote.close()
  })

  test.each([
    ['a web page', { origin: 'https://example.com' }],
    ['a rebound name', { host: 'attacker.example' }],
  ])('rejects requests of %s', async (_name, headers) => {
    const request = httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
    request.end('{}')
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(403)
  })
})

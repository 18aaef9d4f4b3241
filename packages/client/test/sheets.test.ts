import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOLDINGS, startTestService, type TestService } from './support/test-service.ts'
import type { ScriptResult, ScriptRun } from './support/run-apps-script.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.api.stop())

async function compute(formulas: ScriptRun['formulas'], key = service.account.key): Promise<ScriptResult> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('support/run-apps-script.ts', import.meta.url))])
  child.stdin.end(JSON.stringify({ key, baseUrl: service.baseUrl, formulas } satisfies ScriptRun))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as ScriptResult
}

describe('=BRICK_HOLDINGS()', () => {
  test('returns a header and all lots for 1 credit per 250, and is free the second time', async () => {
    const { results, requests } = await compute([['BRICK_HOLDINGS'], ['BRICK_HOLDINGS']])
    const [first, second] = results as { value: unknown[][] }[]
    expect(first!.value).toHaveLength(1 + HOLDINGS)
    expect(first!.value[0]!.slice(0, 3)).toEqual(['brickfolio_id', 'set_number', 'title'])
    expect(first!.value[1]!.slice(1, 3)).toEqual(['90001-1', 'Tidewater Lighthouse'])
    expect(second).toEqual(first)
    expect(requests).toEqual([
      'GET /brickfolio/entries?limit=250&offset=0',
      'GET /brickfolio/entries?limit=250&offset=250',
    ])
  })

  test("filters by collection and returns an error for another account's collection", async () => {
    const { results } = await compute([
      ['BRICK_HOLDINGS', service.brickfolioId],
      ['BRICK_HOLDINGS', 999_999],
    ])
    expect(results[0]).toHaveProperty('value')
    expect(results[1]).toEqual({ error: expect.stringContaining('Collection 999999 not found.') as string })
  })
})

describe('=BRICK_VALUE(range)', () => {
  test('keeps the shape of the range and requests each number once', async () => {
    const { results, requests } = await compute([
      [
        'BRICK_VALUE',
        [
          ['90001-1', 90_001],
          ['', '1'],
          ['HBR001', '90002-1'],
        ],
      ],
      ['BRICK_VALUE', '90001', 'sealed'],
      ['BRICK_VALUE', [['90001']], 'used'],
    ])
    expect(results).toEqual([
      {
        value: [
          [100, 100],
          ['', 'not found'],
          ['no value', 'no value'],
        ],
      },
      { value: [[100]] },
      { value: [[71.1]] },
    ])
    expect(requests).toEqual(['POST /catalog/batch', 'POST /catalog/batch'])
  })

  test('takes values of owned sets from the lots: 2 credits instead of 1 per number', async () => {
    const before = await service.api.creditsUsed(service.account)
    const spellings = [['90001'], ['90001-1'], ['2'], ['3'], ['4'], ['5']]
    const { results, requests } = await compute([['BRICK_VALUE', spellings]])
    expect((results[0] as { value: unknown[][] }).value.flat().slice(0, 3)).toEqual([100, 100, 'not found'])
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
    expect(await service.api.creditsUsed(service.account)).toBe(before + 2 + 4)
  })

  test('sends no request for an empty range', async () => {
    expect(await compute([['BRICK_VALUE', [[''], ['']]]])).toEqual({ results: [{ value: [[''], ['']] }], requests: [] })
  })

  test('splits 250 numbers into batches of 100', async () => {
    const numbers = Array.from({ length: 250 }, (_, index) => [`x${index}-2`])
    const { key } = await service.api.createAccount()
    const { requests } = await compute([['BRICK_VALUE', numbers]], key)
    expect(requests).toEqual([
      'GET /brickfolio/entries?limit=250&offset=0',
      ...Array.from({ length: 3 }, () => 'POST /catalog/batch'),
    ])
  })

  test('shows errors in the cell', async () => {
    const poor = await service.api.createAccount({ limit: 1 })
    const used = await compute(
      [
        ['BRICK_VALUE', '90001'],
        ['BRICK_VALUE', '90002'],
      ],
      poor.key,
    )
    expect(used.results[1]).toEqual({ error: expect.stringContaining('has 0 of 1 credits remaining') as string })
    const wrong = await compute(
      [
        ['BRICK_VALUE', '90001'],
        ['BRICK_VALUE', '90001', 'mint'],
      ],
      'bmk_live_wrong',
    )
    expect(wrong.results).toEqual([
      { error: expect.stringContaining('Choose Brickmark > Set API key.') as string },
      { error: 'Condition must be "sealed" or "used".' },
    ])
    expect((await compute([['BRICK_VALUE', '90001']], '')).results).toEqual([
      { error: 'Choose Brickmark > Set API key first.' },
    ])
  })
})

describe('menu', () => {
  test('"Check quota" is free', async () => {
    const before = await service.api.creditsUsed(service.account)
    const { results } = await compute([['quotaText_'], ['validateKey_', 'bmk_live_12']])
    expect(results).toEqual([
      { value: expect.stringMatching(/^\d+ of 1000 credits remaining\. Resets at /) as string },
      { value: 'API keys are 57 characters long, but this one has 11.' },
    ])
    expect(await service.api.creditsUsed(service.account)).toBe(before)
  })

  test('"Check quota" reports an invalid key', async () => {
    const { results } = await compute([['quotaText_']], 'bmk_live_wrong')
    expect(results).toEqual([{ value: 'This API key isn’t valid.' }])
  })

  test('"Refresh data" invalidates the cache', async () => {
    const { requests } = await compute([['BRICK_VALUE', '90001'], ['brickRefresh'], ['BRICK_VALUE', '90001']])
    expect(requests).toEqual(['POST /catalog/batch', 'POST /catalog/batch'])
  })
})

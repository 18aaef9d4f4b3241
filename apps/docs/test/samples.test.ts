import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCollection, type TestAccount } from '@brickmark/tests/support/fixtures'
import { startDemoApi, type DemoApi } from './demo.ts'
import { clientIsBuilt, collectSamples, differences, isRun, needsClient, runSample } from './sample.ts'

let api: DemoApi

beforeAll(async () => {
  api = await startDemoApi()
})
afterAll(() => api.stop())

const samples = collectSamples()
const toRun = samples.filter(isRun)
const runnable = toRun.filter((sample) => clientIsBuilt || !needsClient(sample))

describe('every sample runs', () => {
  test.each(runnable.map((sample) => [`${sample.guide}:${sample.line} ${sample.kind}`, sample] as const))(
    '%s',
    async (_name, sample) => {
      const env = { BRICKMARK_BASE_URL: `${api.origin}/api/v1`, BRICKMARK_API_KEY: api.resellerAccount.key }
      await restoreQuota(api.resellerAccount)
      const printed = await runSample(sample, env)
      if (sample.shows) expect(differences(sample.shows, printed), printed.slice(0, 1000)).toEqual([])
      // curl exits with 0 on HTTP errors; a sample without output shown must get a 200.
      else if (sample.text.includes('curl')) expect(printed).not.toContain('"error"')
    },
  )

  test('covers at least 80 samples and 30 outputs', () => {
    const count = (kind: string) => runnable.filter((sample) => sample.kind === kind).length
    const compared = runnable.filter(({ shows }) => shows).length
    console.log(
      `samples: ${runnable.length} run (${count('sh')} sh, ${count('js')} js, ${count('ts')} ts, ${count('python')} python), ` +
        `${compared} compared with the output on the page, ${samples.length - toRun.length} not runnable, ` +
        `${toRun.length - runnable.length} skipped because packages/client/dist is missing`,
    )
    expect(runnable.length).toBeGreaterThan(79)
    expect(compared).toBeGreaterThan(29)
  })
})

/** Every sample starts with all credits of the day, so that the page can say how many are left. */
async function restoreQuota({ accountId, keyId }: TestAccount): Promise<void> {
  await api.db
    .updateTable('account.api_key_quota')
    .set({ used: 0 })
    .where('account_id', '=', accountId)
    .where('api_key_id', '=', keyId)
    .execute()
}

describe('comparison', () => {
  const json = (text: string) => ({ kind: 'json response' as const, text })
  const output = (text: string) => ({ kind: 'text output' as const, text })
  test.each([
    ['a missing field', json('{"a": 1}'), '{"b": 1}'],
    ['a different type', json('{"a": {"b": 1}}'), '{"a": {"b": "1"}}'],
    ['an empty array', json('{"a": [{"b": 1}]}'), '{"a": []}'],
    ['a different message', json('{"error": {"message": "x"}}'), '{"error": {"message": "y"}}'],
    ['a different number', json('{"a": [{"b": 42.31}]}'), '{"a": [{"b": 42.32}]}'],
    ['null instead of a number', json('{"a": null}'), '{"a": 0}'],
    ['a number instead of null', json('{"a": 0}'), '{"a": null}'],
    ['a request ID of another type', json('{"request_id": "x"}'), '{"request_id": 1}'],
    ['different wording', output('3 sets'), '3 minifigs'],
    ['a different number in text', output('3 sets, $1,200.50'), '3 sets, $1,200.51'],
  ])('detects %s', (_name, shown, printed) => {
    expect(differences(shown, printed)).not.toEqual([])
  })

  test.each([
    ['omitted fields and elements', json('{"a": [1], "b": "x"}'), '{"a": [1, 2], "b": "x", "c": 3}'],
    ['another request', json('{"request_id": "x", "reset": "y"}'), '{"request_id": "u", "reset": "v"}'],
    ['another instant in text', output('until 2026-11-16T00:00:00.000Z'), 'until 2027-01-02T00:00:00.000Z\n'],
  ])('ignores %s', (_name, shown, printed) => {
    expect(differences(shown, printed)).toEqual([])
  })
})

describe('cost of valuing 400 lots', () => {
  const LOTS = 400
  const rows = tableAfter('reduce-usage', '## Example: value 400 lots')
  let numbers: string[]

  beforeAll(() => {
    numbers = api.market.sets.slice(0, LOTS).map(({ set_number }) => set_number)
  })

  /** Fetches all pages and returns the number of requests. */
  async function readEntries(account: TestAccount, query: string): Promise<number> {
    for (let requests = 1, offset = 0; ; requests++) {
      const separator = query === '' ? '?' : '&'
      const { data } = await api.get<{ pagination: { limit: number; has_more: boolean } }>(
        `/brickfolio/entries${query}${separator}offset=${offset}`,
        account,
      )
      if (!data.pagination.has_more) return requests
      offset += data.pagination.limit
    }
  }

  const ways: Record<string, (account: TestAccount) => Promise<number>> = {
    'GET /brickfolio/entries?limit=250': (account) => readEntries(account, '?limit=250'),
    'GET /brickfolio/entries': (account) => readEntries(account, ''),
    async 'POST /catalog/batch'(account) {
      for (let first = 0; first < LOTS; first += 100) {
        expect((await api.post('/catalog/batch', account, { sets: numbers.slice(first, first + 100) })).status).toBe(
          200,
        )
      }
      return LOTS / 100
    },
    async 'GET /set/{number}'(account) {
      for (const number of numbers) expect((await api.get(`/set/${number}`, account)).status).toBe(200)
      return numbers.length
    },
  }

  test('the page lists these four', () => {
    expect(rows.map(([way]) => way)).toEqual(Object.keys(ways))
  })

  test.each(rows)('%s takes %s requests and %s credits', async (way, requests, units) => {
    const account = await api.createAccount()
    const collection_id = await addCollection(api.db, account.accountId)
    const holding = { account_id: account.accountId, collection_id, condition: 'sealed', quantity: 1 }
    const paid = { purchase_price_cents: 6000, purchase_date: '2025-01-15' }
    const holdings = numbers.map((set_number) => ({ ...holding, ...paid, set_number }))
    await api.db.insertInto('portfolio.lot').values(holdings).execute()
    const made = await ways[way]!(account)
    expect([made, await api.creditsUsed(account)].map(String)).toEqual([requests, units])
  })
})

describe('errors page', () => {
  const page = readGuide('errors')

  /** Returns the response shown for a code, with its numbers and times replaced by placeholders. */
  function shownFor(code: string): { head: string; message: string } {
    const block = new RegExp(`## \`${code}\`.*?\`\`\`http\n(.*?)\`\`\``, 's').exec(page)![1]!
    const [head = '', body = ''] = block.split('\n\n')
    return { head, message: form((JSON.parse(body) as { error: { message: string } }).error.message) }
  }
  const form = (text: string) =>
    text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/\d+ h \d+ min|\d+ min/g, 'WAIT')
      .replaceAll(/\d+/g, 'N')

  test('403: TierRequired matches the page', async () => {
    const hobby = await api.createAccount({ plan: 'hobby' })
    const response = await api.get('/catalog/themes', hobby)
    const shown = shownFor('TierRequired')
    expect([response.status, form(response.error.message)]).toEqual([403, shown.message])
    expect(shown.head).toContain(`Link: ${response.headers['link']}`)
  })

  test('429: QuotaExceeded matches the page', async () => {
    const poor = await api.createAccount({ limit: 2 })
    const response = await api.post('/catalog/batch', poor, { sets: ['1', '2', '3'] })
    const shown = shownFor('QuotaExceeded')
    expect([response.status, form(response.error.message)]).toEqual([429, shown.message])
    expect(shown.head).toContain(`Link: ${response.headers['link']}`)
    for (const name of ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      expect(shown.head.toLowerCase()).toContain(`${name}:`)
      expect(response.headers).toHaveProperty(name)
    }
  })
})

function readGuide(name: string): string {
  return readFileSync(new URL(`../src/content/docs/${name}.md`, import.meta.url), 'utf8')
}

/** Returns the rows of the first table after a heading, without markup. */
function tableAfter(guide: string, heading: string): string[][] {
  const lines = readGuide(guide).split(heading)[1]!.split('\n')
  const first = lines.findIndex((line) => line.startsWith('|---'))
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('|'))
  return lines.slice(first + 1, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { Client } from '../../support/http-client.ts'
import { processCpuMs } from '../../support/timing.ts'
import type { Scenario, ScenarioContext, ScenarioResult } from '../harness/scenario.ts'

const QUERIES = ['er', 'st', 'th', '90', 'ca']

/** A two-letter search over 25,000 sets costs less than ten lookups of a set, in CPU time of the API process. */
export const searchCost = {
  name: 'search-cost',
  summary: 'a 2-letter search over 25,000 sets costs less than 10 × the CPU time of GET /set',
  options: {
    sets: { default: 25_000, description: 'sets in the catalog' },
    requests: { default: 3000, description: 'requests of each kind' },
  },
  mutantOptions: { sets: 25_000, requests: 150 },
  mutants: [
    {
      name: 'scan',
      description: 'every search normalizes and scans every name',
      edits: [
        {
          file: 'apps/api/catalog/search-index.ts',
          find: '    const lists = terms.map((term) => this.#candidates(term))',
          replace:
            '    const lists = terms.map(() => this.#entries.map((entry, index) => (normalizeForSearch(entry.name) === "" ? -1 : index)))',
        },
        {
          file: 'apps/api/catalog/search-index.ts',
          find: '    if (terms.length === 1 && terms[0]!.length <= NGRAM_SIZE) return smallest\n',
          replace: '',
        },
      ],
    },
  ],
  run,
} satisfies Scenario

async function run({ options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const environment = await openEnvironment({
    nodes: 1,
    maxSeconds: 120,
    synchronousCommit: false,
    seed: (db) => seedSets(db, options['sets']!),
  })
  const node = environment.nodes[0]!
  const client = new Client(node.port, 8)
  const { key } = await environment.createAccount({ limit: 10_000_000 })
  const cost = async (targets: string[]) => {
    const before = await processCpuMs(node.pid!)
    await sendAll(client, key, targets, options['requests']!)
    return ((await processCpuMs(node.pid!)) - before) / options['requests']!
  }
  const lookupTargets = ['/api/v1/set/90000-1', '/api/v1/set/90001-1']
  const searchTargets = QUERIES.map((query) => `/api/v1/catalog/sets/search?q=${query}`)
  // Run once unmeasured, so that neither measurement includes JIT compilation.
  await cost(lookupTargets)
  await cost(searchTargets)
  const ratios: number[] = []
  for (let round = 0; round < 3; round++) {
    const [lookupMs, searchMs] = [await cost(lookupTargets), await cost(searchTargets)]
    ratios.push(searchMs / lookupMs)
    log(`GET /set ${(lookupMs * 1000).toFixed(0)} µs, search ${(searchMs * 1000).toFixed(0)} µs of CPU time`)
  }
  client.close()
  const ratio = Math.round(ratios.toSorted((a, b) => a - b)[1]! * 10) / 10
  return {
    checks: [{ name: 'CPU time of a search ÷ GET /set', goal: '< 10', value: ratio, pass: ratio < 10 }],
    measurements: {
      sets: options['sets'],
      queries: QUERIES,
      ratios: ratios.map((ratio) => Math.round(ratio * 10) / 10),
    },
    failures: [],
  }
}

/** Adds sets up to the given count, with titles like those of the market. */
async function seedSets(db: Database, count: number): Promise<void> {
  await sql`
    insert into catalog.set (set_number, title, theme)
    select (100000 + n)::text || '-1', s.title || ' ' || n, s.theme
      from generate_series(1, ${count}::integer - (select count(*)::integer from catalog.set)) n
      join (select title, theme, row_number() over (order by set_number) as place, count(*) over () as many from catalog.set) s
        on s.place = 1 + n % s.many`.execute(db)
}

async function sendAll(client: Client, key: string, targets: string[], requests: number): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  let next = 0
  const lane = async () => {
    while (next < requests) {
      const target = targets[next++ % targets.length]!
      await sendUntilServed(client, target, headers)
    }
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

const MAX_ATTEMPTS = 200

/** Retries a 503: on a busy machine, or with the mutant, the process sheds load, as it should. */
async function sendUntilServed(client: Client, target: string, headers: Record<string, string>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { response, error } = await client.request({ method: 'GET', target, headers })
    if (response?.status === 200) return
    if (response?.status !== 503 || attempt === MAX_ATTEMPTS) throw new Error(`${target}: ${error ?? response?.text}`)
    await sleep(100)
  }
}

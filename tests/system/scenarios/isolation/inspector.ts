import { setTimeout as sleep } from 'node:timers/promises'
import { findContractViolations, type HttpResponse } from '../../../support/openapi-contract.ts'
import { EXPECTED_RESPONSES } from '../contract/expected-responses.ts'
import type { Oracle } from '../contract/oracle.ts'
import type { Client } from '../../../support/http-client.ts'
import type { SeededRandom } from '../../harness/random.ts'
import { UNUSED_IDS, type LeakDetector, type MarkedAccount } from './accounts.ts'

const PRIVATE_PATHS = [
  '/brickfolio',
  '/brickfolio/analytics',
  '/brickfolio/entries',
  '/brickfolio/retail-watch',
  '/salesledger',
]

/** Extensions that return private rows; what else they return than v1 is searched for foreign rows only. */
const PRIVATE_EXTENSIONS = ['/lots', '/sales', '/usage'].map((path) => `/api/extensions/v1${path}`)

/** What takes the id of a collection, which must not tell whether another account has it. */
export const PATHS_WITH_ID = [
  ...PRIVATE_PATHS.map((path) => `${path}?brickfolio_id=`),
  `${PRIVATE_EXTENSIONS[0]}?collection_id=`,
]

/** Totals over all responses. */
class Findings {
  bodies = 0
  foreign = 0
  licensed = 0
  schemaViolations = 0
  unanswered = 0
  wrongRows = 0
  distinguishableIds = 0
  readonly failures: string[] = []

  record(count: number, failure: string): number {
    if (count > 0 && this.failures.length < 12) this.failures.push(failure)
    return count
  }
}

const MAX_ATTEMPTS = 20
const RETRY_MS = 300

/** Sends requests and searches the responses for everything they must not contain. */
export class Inspector {
  readonly findings = new Findings()
  readonly #client: Client
  readonly #detector: LeakDetector

  constructor(client: Client, detector: LeakDetector) {
    this.#client = client
    this.#detector = detector
  }

  /** Sends a request and searches the response. Repeats it while the service is overloaded, as clients do. */
  async get(path: string, account: MarkedAccount, body?: unknown): Promise<HttpResponse | undefined> {
    for (let attempt = 1; ; attempt++) {
      const response = await this.#getOnce(path, account, body)
      if (response?.status !== 503 || attempt === MAX_ATTEMPTS) return response
      await sleep(RETRY_MS)
    }
  }

  async #getOnce(path: string, account: MarkedAccount, body?: unknown): Promise<HttpResponse | undefined> {
    const method = body === undefined ? 'GET' : 'POST'
    const headers = {
      authorization: `Bearer ${account.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const target = path.startsWith('/api/') ? path : `/api/v1${path}`
    const { response, error } = await this.#client.request({
      method,
      target,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const { findings } = this
    findings.bodies++
    if (!response) {
      findings.unanswered += findings.record(1, `${path}: ${error}`)
      return undefined
    }
    const foreign = this.#detector.findForeign(response.text, account.marker)
    const problems = findContractViolations(method, target, response)
    findings.foreign += findings.record(foreign.length, `${path} for ${account.marker} contains ${foreign.join(', ')}`)
    findings.licensed += findings.record(this.#detector.licensed(response.text), `${path} contains a licensed row`)
    findings.schemaViolations += findings.record(problems.length, `${path}: ${problems[0]}`)
    return response
  }

  /** Checks that each private endpoint returns exactly the account's own rows, as stored in the tables. */
  async checkOwnRows(account: MarkedAccount, oracle: Oracle): Promise<void> {
    for (const path of PRIVATE_PATHS) {
      const paged = path === '/brickfolio/entries' || path === '/salesledger'
      const response = await this.get(paged ? `${path}?limit=250` : path, account)
      if (!response) continue
      const { check } = EXPECTED_RESPONSES[path]!(
        { oracle, accountOracle: account.accountOracle },
        paged ? { limit: '250' } : {},
      )
      const { data } = JSON.parse(response.text) as { data: unknown }
      const differences = data === undefined ? [`status ${response.status}`] : check!(data)
      this.findings.wrongRows += this.findings.record(
        differences.length,
        `${path} for ${account.marker}: ${differences[0]}`,
      )
    }
  }

  /**
   * Checks that requests for another account's collection and for an unused id get the same response. Returns the
   * number of requests.
   */
  async checkForeignIds(account: MarkedAccount, foreignIds: number[]): Promise<number> {
    for (const path of PATHS_WITH_ID) {
      const unused = await Promise.all(
        UNUSED_IDS.map(async (id) => responseFingerprint(await this.#withId(path, account, id), id)),
      )
      for (const id of foreignIds) {
        const fingerprint = responseFingerprint(await this.#withId(path, account, id), id)
        const distinguishable = unused.some((other) => other !== fingerprint) ? 1 : 0
        this.findings.distinguishableIds += this.findings.record(
          distinguishable,
          `${path}${id}: ${fingerprint}\n  unused id: ${unused[0]}`,
        )
      }
    }
    return foreignIds.length * PATHS_WITH_ID.length
  }

  #withId(path: string, account: MarkedAccount, id: number): Promise<HttpResponse | undefined> {
    return this.get(path + id, account)
  }
}

const VARYING_HEADERS = ['x-request-id', 'x-ratelimit-remaining', 'date']

/** Returns every part of a response that could distinguish ids; the echoed id itself is masked. */
function responseFingerprint(response: HttpResponse | undefined, id: number): string {
  if (!response) return 'no response'
  const headers = Object.entries(response.headers).filter(([name]) => !VARYING_HEADERS.includes(name))
  return `${response.status} ${response.text.replaceAll(String(id), 'ID')} ${JSON.stringify(headers)}`
}

/** Returns a random request: any endpoint, for things that exist and things that don't. */
export function randomRequest(random: SeededRandom, oracle: Oracle): { path: string; body?: unknown } {
  const set = random.pick(numbers(oracle).sets)
  const minifig = random.pick(numbers(oracle).minifigs)
  const { asin, upc } = random.pick(oracle.codes)
  const choices: (() => { path: string; body?: unknown })[] = [
    () => ({ path: `/set/${set}` }),
    () => ({ path: `/set/${set}` }),
    () => ({ path: `/minifig/${minifig}` }),
    () => ({ path: `/catalog/sets/search?q=${set.slice(0, random.int(2, 5))}&limit=${random.int(1, 60)}` }),
    () => ({ path: `/catalog/minifigs/search?q=${minifig.slice(0, 3)}` }),
    () => ({ path: '/catalog/themes' }),
    () => ({ path: `/set/${set}/history?condition=${random.pick(['sealed', 'used'])}` }),
    () => ({ path: `/set/${set}/retail-prices` }),
    () => ({ path: `/retail-prices?${asin === null ? `set=${set}` : `asin=${asin}`}` }),
    () => ({ path: `/retail-prices?upc=${upc ?? '000000000000'}` }),
    () => ({ path: '/catalog/batch', body: { sets: [set, 'no-such-set'], minifigs: [minifig] } }),
    () => ({ path: random.pick([...PRIVATE_PATHS, ...PRIVATE_EXTENSIONS]) }),
    () => ({ path: random.pick(['changes', `sets?q=${set.slice(0, 3)}`].map((path) => `/api/extensions/v1/${path}`)) }),
    () => ({ path: `/brickfolio/entries?limit=${random.int(1, 10)}&offset=${random.int(0, 10)}` }),
    () => ({
      path: random.pick([
        '/set/CANARY',
        '/set/x?limit=1',
        '/nothing',
        '/brickfolio/entries?brickfolio_id=0',
        '/catalog/sets/search?q=CANARY-',
      ]),
    }),
  ]
  return random.pick(choices)()
}

const lists = new WeakMap<Oracle, { sets: string[]; minifigs: string[] }>()

function numbers(oracle: Oracle): { sets: string[]; minifigs: string[] } {
  const cached = lists.get(oracle) ?? { sets: [...oracle.sets.keys()], minifigs: [...oracle.minifigs.keys()] }
  lists.set(oracle, cached)
  return cached
}

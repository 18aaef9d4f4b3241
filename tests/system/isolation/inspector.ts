import { findContractViolations, type HttpResponse } from '../../support/openapi-contract.ts'
import { EXPECTED_RESPONSES } from '../contract/expected-responses.ts'
import type { Oracle } from '../contract/oracle.ts'
import type { Client } from '../../support/http-client.ts'
import type { SeededRandom } from '../random.ts'
import { UNUSED_IDS, type LeakDetector, type MarkedAccount } from './accounts.ts'

export const PRIVATE_PATHS = [
  '/brickfolio',
  '/brickfolio/analytics',
  '/brickfolio/entries',
  '/brickfolio/retail-watch',
  '/salesledger',
]

/** What all bodies together showed. */
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

/** Asks, and searches the answer for everything that must not be in it. */
export class Inspector {
  readonly findings = new Findings()
  readonly #client: Client
  readonly #detector: LeakDetector

  constructor(client: Client, detector: LeakDetector) {
    this.#client = client
    this.#detector = detector
  }

  async get(path: string, account: MarkedAccount, body?: unknown): Promise<HttpResponse | undefined> {
    const method = body === undefined ? 'GET' : 'POST'
    const headers = {
      authorization: `Bearer ${account.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const { response, error } = await this.#client.request({
      method,
      target: `/api/v1${path}`,
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
    const problems = findContractViolations(method, `/api/v1${path}`, response)
    findings.foreign += findings.record(foreign.length, `${path} of ${account.marker} shows ${foreign.join(', ')}`)
    findings.licensed += findings.record(this.#detector.licensed(response.text), `${path} shows a licensed row`)
    findings.schemaViolations += findings.record(problems.length, `${path}: ${problems[0]}`)
    return response
  }

  /** Each private endpoint shows all of the account's own rows, as the tables have them, and nothing else. */
  async checkOwnRows(account: MarkedAccount, truth: Oracle): Promise<void> {
    for (const path of PRIVATE_PATHS) {
      const paged = path === '/brickfolio/entries' || path === '/salesledger'
      const answer = await this.get(paged ? `${path}?limit=250` : path, account)
      if (!answer) continue
      const { check } = EXPECTED_RESPONSES[path]!({ truth, own: account.truth }, paged ? { limit: '250' } : {})
      const { data } = JSON.parse(answer.text) as { data: unknown }
      const wrong = data === undefined ? [`status ${answer.status}`] : check!(data)
      this.findings.wrongRows += this.findings.record(wrong.length, `${path} of ${account.marker}: ${wrong[0]}`)
    }
  }

  /** A collection of somebody else answers as one that nobody has. Returns how many were asked for. */
  async checkForeignIds(account: MarkedAccount, foreignIds: number[]): Promise<number> {
    for (const path of PRIVATE_PATHS) {
      const nobodys = await Promise.all(
        UNUSED_IDS.map(async (id) => responseFingerprint(await this.#withId(path, account, id), id)),
      )
      for (const id of foreignIds) {
        const face = responseFingerprint(await this.#withId(path, account, id), id)
        const telling = nobodys.some((other) => other !== face) ? 1 : 0
        this.findings.distinguishableIds += this.findings.record(
          telling,
          `${path}?brickfolio_id=${id}: ${face}\n  nobody's: ${nobodys[0]}`,
        )
      }
    }
    return foreignIds.length * PRIVATE_PATHS.length
  }

  #withId(path: string, account: MarkedAccount, id: number): Promise<HttpResponse | undefined> {
    return this.get(`${path}?brickfolio_id=${id}`, account)
  }
}

const VARYING_HEADERS = ['x-request-id', 'x-ratelimit-remaining', 'date']

/** All of an answer that could tell one id from another; the id itself is echoed. */
function responseFingerprint(answer: HttpResponse | undefined, id: number): string {
  if (!answer) return 'unanswered'
  const headers = Object.entries(answer.headers).filter(([name]) => !VARYING_HEADERS.includes(name))
  return `${answer.status} ${answer.text.replaceAll(String(id), 'ID')} ${JSON.stringify(headers)}`
}

/** Any request, by chance: every endpoint, things that exist and things that do not. */
export function randomRequest(random: SeededRandom, truth: Oracle): { path: string; body?: unknown } {
  const set = random.pick(numbers(truth).sets)
  const minifig = random.pick(numbers(truth).minifigs)
  const { asin, upc } = random.pick(truth.codes)
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
    () => ({ path: random.pick(PRIVATE_PATHS) }),
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

function numbers(truth: Oracle): { sets: string[]; minifigs: string[] } {
  const known = lists.get(truth) ?? { sets: [...truth.sets.keys()], minifigs: [...truth.minifigs.keys()] }
  lists.set(truth, known)
  return known
}

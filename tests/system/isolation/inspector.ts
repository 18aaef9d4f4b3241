import { problemsWith, type Answer } from '../../support/openapi-contract.ts'
import { OUTCOMES } from '../contract/expected-responses.ts'
import type { Truth } from '../contract/oracle.ts'
import type { Client } from '../../support/http-client.ts'
import type { SeededRandom } from '../random.ts'
import { NOBODYS_IDS, type Detector, type MarkedAccount } from './accounts.ts'

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
  offShape = 0
  unanswered = 0
  wrongRows = 0
  tellingIds = 0
  readonly failures: string[] = []

  note(count: number, failure: string): number {
    if (count > 0 && this.failures.length < 12) this.failures.push(failure)
    return count
  }
}

/** Asks, and searches the answer for everything that must not be in it. */
export class Inspector {
  readonly findings = new Findings()
  readonly #client: Client
  readonly #detector: Detector

  constructor(client: Client, detector: Detector) {
    this.#client = client
    this.#detector = detector
  }

  async get(path: string, account: MarkedAccount, body?: unknown): Promise<Answer | undefined> {
    const method = body === undefined ? 'GET' : 'POST'
    const headers = {
      authorization: `Bearer ${account.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const { answer, problem } = await this.#client.ask({
      method,
      target: `/api/v1${path}`,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const { findings } = this
    findings.bodies++
    if (!answer) {
      findings.unanswered += findings.note(1, `${path}: ${problem}`)
      return undefined
    }
    const foreign = this.#detector.foreign(answer.text, account.mark)
    const problems = problemsWith(method, `/api/v1${path}`, answer)
    findings.foreign += findings.note(foreign.length, `${path} of ${account.mark} shows ${foreign.join(', ')}`)
    findings.licensed += findings.note(this.#detector.licensed(answer.text), `${path} shows a licensed row`)
    findings.offShape += findings.note(problems.length, `${path}: ${problems[0]}`)
    return answer
  }

  /** Each private endpoint shows all of the account's own rows, as the tables have them, and nothing else. */
  async checkOwnRows(account: MarkedAccount, truth: Truth): Promise<void> {
    for (const path of PRIVATE_PATHS) {
      const paged = path === '/brickfolio/entries' || path === '/salesledger'
      const answer = await this.get(paged ? `${path}?limit=250` : path, account)
      if (!answer) continue
      const { check } = OUTCOMES[path]!({ truth, own: account.truth }, paged ? { limit: '250' } : {})
      const { data } = JSON.parse(answer.text) as { data: unknown }
      const wrong = data === undefined ? [`status ${answer.status}`] : check!(data)
      this.findings.wrongRows += this.findings.note(wrong.length, `${path} of ${account.mark}: ${wrong[0]}`)
    }
  }

  /** A collection of somebody else answers as one that nobody has. Returns how many were asked for. */
  async checkForeignIds(account: MarkedAccount, foreignIds: number[]): Promise<number> {
    for (const path of PRIVATE_PATHS) {
      const nobodys = await Promise.all(
        NOBODYS_IDS.map(async (id) => faceOf(await this.#withId(path, account, id), id)),
      )
      for (const id of foreignIds) {
        const face = faceOf(await this.#withId(path, account, id), id)
        const telling = nobodys.some((other) => other !== face) ? 1 : 0
        this.findings.tellingIds += this.findings.note(
          telling,
          `${path}?brickfolio_id=${id}: ${face}\n  nobody's: ${nobodys[0]}`,
        )
      }
    }
    return foreignIds.length * PRIVATE_PATHS.length
  }

  #withId(path: string, account: MarkedAccount, id: number): Promise<Answer | undefined> {
    return this.get(`${path}?brickfolio_id=${id}`, account)
  }
}

const OWN_TO_EACH_ANSWER = ['x-request-id', 'x-ratelimit-remaining', 'date']

/** All of an answer that could tell one id from another; the id itself is echoed. */
function faceOf(answer: Answer | undefined, id: number): string {
  if (!answer) return 'unanswered'
  const headers = Object.entries(answer.headers).filter(([name]) => !OWN_TO_EACH_ANSWER.includes(name))
  return `${answer.status} ${answer.text.replaceAll(String(id), 'ID')} ${JSON.stringify(headers)}`
}

/** Any request, by chance: every endpoint, things that exist and things that do not. */
export function anyRequest(random: SeededRandom, truth: Truth): { path: string; body?: unknown } {
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

const lists = new WeakMap<Truth, { sets: string[]; minifigs: string[] }>()

function numbers(truth: Truth): { sets: string[]; minifigs: string[] } {
  const known = lists.get(truth) ?? { sets: [...truth.sets.keys()], minifigs: [...truth.minifigs.keys()] }
  lists.set(truth, known)
  return known
}

import fc from 'fast-check'
import { addBrickfolio } from '../support/fixtures.ts'
import { batchCases } from './contract/batch-cases.ts'
import type { Case, TestData } from './contract/case.ts'
import { Client } from '../support/http-client.ts'
import { getCases, routeCases } from './contract/get-cases.ts'
import { checkResponse, checkRawExchange, type Violation, type ViolationKind } from './contract/check-response.ts'
import { makeKeys, type KeyKind, type Keys } from './contract/keys.ts'
import { contractMutants } from './contract/mutants.ts'
import { readAccountOracle } from './contract/account-oracle.ts'
import { rawCases, type RawCase } from './contract/raw-cases.ts'
import { sendRaw } from './contract/raw-socket.ts'
import { readOracle } from './contract/oracle.ts'
import { exactly, none, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import type { TestEnvironment } from './test-environment.ts'

const CONNECTIONS = 16
const CASES_A_CHUNK = 500
const FAILURES_SHOWN = 12

/** T1: requests of every kind against a running api; each answer is held to openapi.json and to the tables. */
export const contract: Scenario = {
  name: 'contract',
  covers: ['T1'],
  summary: 'fuzzes every operation of openapi.json and the bare socket; each answer is documented and right',
  options: {
    requests: { default: 2000, description: 'how many requests to send' },
    case: { default: 0, description: 'only this one of the numbered requests, to see a failure again' },
  },
  mutantOptions: { requests: 1000 },
  mutants: contractMutants,
  run,
}

type FuzzCase = { kind: 'http'; http: Case } | { kind: 'raw'; raw: RawCase }
type Numbered = { number: number; fuzz: FuzzCase }

async function run(context: ScenarioContext): Promise<ScenarioResult> {
  const requests = context.options['requests']!
  const stage = await context.openEnvironment({ nodes: 1, synchronousCommit: false, maxSeconds: 30 + requests / 300 })
  const keys = await makeKeys(stage, context.seed)
  const cases = fuzzCases(await loadTestData(stage, keys), keys)
  const only = context.options['case']!
  const tally = new Tally(context.seed)
  const client = new Client(stage.nodes[0]!.port, CONNECTIONS)
  const started = performance.now()
  let sent = 0
  const waiting = only > 0 ? singleCase(cases, context.seed, only) : numbered(cases, context.seed, requests)

  async function work(): Promise<void> {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const { number, fuzz } = next.value
      const faults = await send(stage, client, keys, fuzz)
      tally.add(number, fuzz, keys, faults)
      if (++sent % 10_000 === 0) context.log(`${sent} requests, ${tally.total} faults`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  client.close()
  const seconds = (performance.now() - started) / 1000
  return report(stage, tally, { wanted: only > 0 ? 1 : requests, sent, seconds })
}

function report(
  stage: TestEnvironment,
  tally: Tally,
  { wanted, sent, seconds }: { wanted: number; sent: number; seconds: number },
) {
  const log = stage.nodes.map((node) => node.log()).join('')
  return {
    checks: [
      exactly('requests', wanted, sent),
      none('undocumented statuses', tally.count('undocumented status')),
      none('schema violations', tally.count('schema violation')),
      none('5xx', tally.count('5xx')),
      none('hangs > 2 s', tally.count('hang')),
      none('unanswered', tally.count('unanswered')),
      none('wrong answers', tally.count('wrong answer')),
      none('api processes that ended', stage.nodes.filter((node) => !node.isRunning()).length),
      none('keys in the log', log.split('bmk_live_').length - 1),
    ],
    measurements: {
      'requests a second': Math.round(sent / seconds),
      'by kind': Object.fromEntries(tally.kinds),
      'by status': Object.fromEntries(tally.statuses),
    },
    failures: tally.failures,
  }
}

async function loadTestData(stage: TestEnvironment, { withPortfolio, withoutPortfolio }: Keys): Promise<TestData> {
  const stranger = await stage.createAccount()
  return {
    truth: await readOracle(stage.db),
    accountData: {
      rich: await readAccountOracle(stage.db, withPortfolio.accountId),
      empty: await readAccountOracle(stage.db, withoutPortfolio.accountId),
    },
    otherAccountIds: [await addBrickfolio(stage.db, stranger.accountId)],
  }
}

const keyKinds: fc.Arbitrary<KeyKind> = fc.oneof(
  { weight: 20, arbitrary: fc.constant('rich' as const) },
  { weight: 4, arbitrary: fc.constant('empty' as const) },
  {
    weight: 6,
    arbitrary: fc.constantFrom('none', 'basic', 'malformed', 'revoked', 'expired', 'hobby', 'exhausted', 'exhausted'),
  },
  { weight: 1, arbitrary: fc.constantFrom('unknown' as const) },
)

function fuzzCases(world: TestData, keys: Keys): fc.Arbitrary<FuzzCase> {
  const [number = ''] = world.truth.sets.keys()
  const http = fc.oneof(
    { weight: 15, arbitrary: getCases(world, keyKinds) },
    { weight: 3, arbitrary: batchCases(world, keyKinds) },
    { weight: 1, arbitrary: routeCases(world, keyKinds) },
  )
  return fc.oneof(
    { weight: 19, arbitrary: http.map((http) => ({ kind: 'http' as const, http })) },
    { weight: 1, arbitrary: rawCases(keys.withPortfolio.key, number).map((raw) => ({ kind: 'raw' as const, raw })) },
  )
}

/** Numbered from 1, made chunk by chunk from the seed alone, so that any one can be made again. */
function* numbered(cases: fc.Arbitrary<FuzzCase>, seed: number, count: number): Generator<Numbered, undefined> {
  for (let first = 0; first < count; first += CASES_A_CHUNK) {
    for (const [index, fuzz] of chunk(cases, seed, first).entries()) {
      if (first + index < count) yield { number: first + index + 1, fuzz }
    }
  }
  return undefined
}

function* singleCase(cases: fc.Arbitrary<FuzzCase>, seed: number, number: number): Generator<Numbered, undefined> {
  const first = number - 1 - ((number - 1) % CASES_A_CHUNK)
  yield { number, fuzz: chunk(cases, seed, first)[number - 1 - first]! }
  return undefined
}

function chunk(cases: fc.Arbitrary<FuzzCase>, seed: number, first: number): FuzzCase[] {
  return fc.sample(cases, { seed: seed * 1_000_003 + first, numRuns: CASES_A_CHUNK })
}

let unknownKeyCount = 0

async function send(
  stage: TestEnvironment,
  client: Client,
  keys: Keys,
  fuzz: FuzzCase,
): Promise<{ faults: Violation[]; statuses: number[] }> {
  const { port } = stage.nodes[0]!
  if (fuzz.kind === 'raw') {
    const result = await sendRaw(port, fuzz.raw, fuzz.raw.head === true)
    return { faults: checkRawExchange(fuzz.raw, result), statuses: result.responses.map((answer) => answer.status) }
  }
  const { method, target, headers, body, key, salt } = fuzz.http
  const authorization = keys.header(key, salt)
  // An address may try few unknown keys, so each of these comes from another.
  const from = key === 'unknown' ? `127.1.${(++unknownKeyCount >> 8) & 255}.${unknownKeyCount & 255}` : undefined
  const reply = await client.request({
    method,
    target,
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    body,
    localAddress: from,
  })
  return { faults: checkResponse(fuzz.http, reply), statuses: reply.response ? [reply.response.status] : [] }
}

/** What was seen: counts of everything, and the first few failures in full. */
class Tally {
  readonly failures: string[] = []
  readonly kinds = new Map<string, number>()
  readonly statuses = new Map<number, number>()
  total = 0
  readonly #counts = new Map<ViolationKind, number>()
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  count(kind: ViolationKind): number {
    return this.#counts.get(kind) ?? 0
  }

  add(
    number: number,
    fuzz: FuzzCase,
    keys: Keys,
    { faults, statuses }: { faults: Violation[]; statuses: number[] },
  ): void {
    increment(this.kinds, fuzz.kind === 'raw' ? 'raw socket' : fuzz.http.key)
    for (const status of statuses) {
      increment(this.statuses, status)
    }
    for (const { kind, text } of faults) {
      this.total++
      increment(this.#counts, kind)
      if (this.failures.length >= FAILURES_SHOWN) continue
      const again = `npm run test:system -- contract --seed ${this.#seed} --case ${number}`
      this.failures.push(`${kind}: ${text}\n  ${again}\n  ${reproduction(fuzz, keys)}`)
    }
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** What to type to send it again; keys live only as long as the proof, so the kind stands for the key. */
function reproduction(fuzz: FuzzCase, keys: Keys): string {
  if (fuzz.kind === 'raw') {
    const bytes = Buffer.concat(fuzz.raw.chunks).toString('latin1').replaceAll(keys.withPortfolio.key, '$KEY')
    return `${fuzz.raw.name}: ${JSON.stringify(bytes.slice(0, 600))}`
  }
  const { method, target, headers, body, key } = fuzz.http
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const parts = ['curl -i --path-as-is', `-X ${method}`, `"$ORIGIN"${quote(target)}`]
  if (key !== 'none') parts.push(`-H "Authorization: Bearer $KEY"`)
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body !== undefined) parts.push(`--data-raw ${quote(body.toString().slice(0, 400))}`)
  return `${parts.join(' ').slice(0, 1500)}  # key: ${key}`
}

import fc from 'fast-check'
import { addCollection } from '../../support/fixtures.ts'
import { batchCases } from './contract/batch-cases.ts'
import type { Case, TestData } from './contract/case.ts'
import { Client } from '../../support/http-client.ts'
import { getCases, routeCases } from './contract/get-cases.ts'
import { checkResponse, checkRawExchange, type Violation, type ViolationKind } from './contract/check-response.ts'
import { makeKeys, type KeyKind, type Keys } from './contract/keys.ts'
import { contractMutants } from './contract/mutants.ts'
import { readAccountOracle } from './contract/account-oracle.ts'
import { rawCases, type RawCase } from './contract/raw-cases.ts'
import { sendRaw } from './contract/raw-socket.ts'
import { readOracle } from './contract/oracle.ts'
import { exactly, none, timing, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

const CONNECTIONS = 16
const CASES_PER_CHUNK = 500
const FAILURES_SHOWN = 12

/** Sends requests of every kind to a running API and checks each response against openapi.json and the tables. */
export const contract = {
  name: 'contract',
  summary: 'fuzzes every operation of openapi.json and the raw socket; every response is documented and correct',
  options: {
    requests: { default: 2000, description: 'number of requests to send' },
    case: { default: 0, description: 'run only the case with this number, to reproduce a failure' },
  },
  mutantOptions: { requests: 1000 },
  mutants: contractMutants,
  run,
} satisfies Scenario

type FuzzCase = { kind: 'http'; httpCase: Case } | { kind: 'raw'; raw: RawCase }
type Numbered = { number: number; fuzz: FuzzCase }

async function run(context: ScenarioContext): Promise<ScenarioResult> {
  const requests = context.options['requests']!
  const environment = await context.openEnvironment({
    nodes: 1,
    synchronousCommit: false,
    maxSeconds: 30 + requests / 300,
  })
  const keys = await makeKeys(environment, context.seed)
  const cases = fuzzCases(await loadTestData(environment, keys), keys)
  const only = context.options['case']!
  const tally = new Tally(context.seed)
  const client = new Client(environment.nodes[0]!.port, CONNECTIONS)
  const started = performance.now()
  let sent = 0
  const pending = only > 0 ? singleCase(cases, context.seed, only) : numbered(cases, context.seed, requests)

  async function work(): Promise<void> {
    for (let next = pending.next(); !next.done; next = pending.next()) {
      const { number, fuzz } = next.value
      const violations = await send(environment, client, keys, fuzz)
      tally.add(number, fuzz, keys, violations)
      if (++sent % 10_000 === 0) context.log(`${sent} requests, ${tally.total} violations`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  client.close()
  const seconds = (performance.now() - started) / 1000
  return report(environment, tally, { expected: only > 0 ? 1 : requests, sent, seconds })
}

function report(
  environment: TestEnvironment,
  tally: Tally,
  { expected, sent, seconds }: { expected: number; sent: number; seconds: number },
) {
  const log = environment.nodes.map((node) => node.log()).join('')
  return {
    checks: [
      exactly('requests', expected, sent),
      none('undocumented statuses', tally.count('undocumented status')),
      none('schema violations', tally.count('schema violation')),
      none('5xx', tally.count('5xx')),
      timing(none('responses after more than 2 s', tally.count('slow'))),
      none('connections left open', tally.count('left open')),
      none('requests without a response', tally.count('no response')),
      none('wrong responses', tally.count('wrong response')),
      none('API processes that exited', environment.nodes.filter((node) => !node.isRunning()).length),
      none('keys in the log', log.split('bmk_live_').length - 1),
    ],
    measurements: {
      'requests per second': Math.round(sent / seconds),
      'by kind': Object.fromEntries(tally.kinds),
      'by status': Object.fromEntries(tally.statuses),
      'slow responses': tally.slow,
    },
    failures: tally.failures,
  }
}

async function loadTestData(
  environment: TestEnvironment,
  { accountWithPortfolio, accountWithoutPortfolio }: Keys,
): Promise<TestData> {
  const stranger = await environment.createAccount()
  return {
    oracle: await readOracle(environment.db),
    accountData: {
      rich: await readAccountOracle(environment.db, accountWithPortfolio.accountId),
      empty: await readAccountOracle(environment.db, accountWithoutPortfolio.accountId),
    },
    otherAccountIds: [await addCollection(environment.db, stranger.accountId)],
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

function fuzzCases(testData: TestData, keys: Keys): fc.Arbitrary<FuzzCase> {
  const [number = ''] = testData.oracle.sets.keys()
  const http = fc.oneof(
    { weight: 15, arbitrary: getCases(testData, keyKinds) },
    { weight: 3, arbitrary: batchCases(testData, keyKinds) },
    { weight: 1, arbitrary: routeCases(testData, keyKinds) },
  )
  return fc.oneof(
    { weight: 19, arbitrary: http.map((httpCase) => ({ kind: 'http' as const, httpCase })) },
    {
      weight: 1,
      arbitrary: rawCases(keys.accountWithPortfolio.key, number).map((raw) => ({ kind: 'raw' as const, raw })),
    },
  )
}

/**
 * Yields cases numbered from 1, generated chunk by chunk from the seed alone, so that any single case can be
 * regenerated.
 */
function* numbered(cases: fc.Arbitrary<FuzzCase>, seed: number, count: number): Generator<Numbered, undefined> {
  for (let first = 0; first < count; first += CASES_PER_CHUNK) {
    for (const [index, fuzz] of chunk(cases, seed, first).entries()) {
      if (first + index < count) yield { number: first + index + 1, fuzz }
    }
  }
  return undefined
}

function* singleCase(cases: fc.Arbitrary<FuzzCase>, seed: number, number: number): Generator<Numbered, undefined> {
  const first = number - 1 - ((number - 1) % CASES_PER_CHUNK)
  yield { number, fuzz: chunk(cases, seed, first)[number - 1 - first]! }
  return undefined
}

function chunk(cases: fc.Arbitrary<FuzzCase>, seed: number, first: number): FuzzCase[] {
  return fc.sample(cases, { seed: seed * 1_000_003 + first, numRuns: CASES_PER_CHUNK })
}

let unknownKeyCount = 0

async function send(
  environment: TestEnvironment,
  client: Client,
  keys: Keys,
  fuzz: FuzzCase,
): Promise<{ violations: Violation[]; statuses: number[] }> {
  const { port } = environment.nodes[0]!
  if (fuzz.kind === 'raw') {
    const result = await sendRaw(port, fuzz.raw, fuzz.raw.head === true)
    return {
      violations: checkRawExchange(fuzz.raw, result),
      statuses: result.responses.map((response) => response.status),
    }
  }
  const { method, target, headers, body, key, salt } = fuzz.httpCase
  const authorization = keys.header(key, salt)
  // Each client IP may try only a few unknown keys, so every such request comes from a different address.
  const from = key === 'unknown' ? `127.1.${(++unknownKeyCount >> 8) & 255}.${unknownKeyCount & 255}` : undefined
  const result = await client.request({
    method,
    target,
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    body,
    localAddress: from,
  })
  return { violations: checkResponse(fuzz.httpCase, result), statuses: result.response ? [result.response.status] : [] }
}

/** Collects the results: counts of everything, and the first few failures in full. */
class Tally {
  readonly failures: string[] = []
  /** Kept apart from the failures, because a busy machine alone can cause them. */
  readonly slow: string[] = []
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
    { violations, statuses }: { violations: Violation[]; statuses: number[] },
  ): void {
    increment(this.kinds, fuzz.kind === 'raw' ? 'raw socket' : fuzz.httpCase.key)
    for (const status of statuses) {
      increment(this.statuses, status)
    }
    for (const { kind, text } of violations) {
      this.total++
      increment(this.#counts, kind)
      const shown = kind === 'slow' ? this.slow : this.failures
      if (shown.length >= FAILURES_SHOWN) continue
      const command = `npm run test:system -- contract --seed ${this.#seed} --case ${number}`
      shown.push(`${kind}: ${text}\n  ${command}\n  ${reproduction(fuzz, keys)}`)
    }
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/**
 * Returns a command that repeats the request. Keys exist only during the run, so the output names the kind of key
 * instead.
 */
function reproduction(fuzz: FuzzCase, keys: Keys): string {
  if (fuzz.kind === 'raw') {
    const bytes = Buffer.concat(fuzz.raw.chunks).toString('latin1').replaceAll(keys.accountWithPortfolio.key, '$KEY')
    return `${fuzz.raw.name}: ${JSON.stringify(bytes.slice(0, 600))}`
  }
  const { method, target, headers, body, key } = fuzz.httpCase
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const parts = ['curl -i --path-as-is', `-X ${method}`, `"$ORIGIN"${quote(target)}`]
  if (key !== 'none') parts.push(`-H "Authorization: Bearer $KEY"`)
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`)
  if (body !== undefined) parts.push(`--data-raw ${quote(body.toString().slice(0, 400))}`)
  return `${parts.join(' ').slice(0, 1500)}  # key: ${key}`
}

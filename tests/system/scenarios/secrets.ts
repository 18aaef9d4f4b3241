import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { PEPPER } from '../../support/fixtures.ts'
import {
  atLeast,
  exactly,
  none,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import { makeCanary, makeSecrets, type Canary, type Secrets } from './secrets/canaries.ts'
import { dumpDatabase, captureStartupFailures } from './secrets/leak-locations.ts'
import { secretsMutants } from './secrets/mutants.ts'
import { requestsWithSecrets, docsRequestsWith } from './secrets/requests.ts'
import { LeakScanner } from './secrets/leak-scanner.ts'
import { exerciseWebApp, type WebRun } from './secrets/web.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

const STATUSES = [200, 400, 401, 403, 404, 429, 500, 503]
/** Usage by key is flushed to the database about once a second. */
const FLUSH_DELAY_MS = 1500
/** Number of requests sent while PostgreSQL is down, out of those that would otherwise succeed. */
const OUTAGE_REQUESTS = 60

/** No secret appears in any log, error, metric or dump, wherever it was sent. */
export const secrets = {
  name: 'secrets',
  summary: 'sends keys, passwords and sessions everywhere; no secret is in any log, error body, metric or dump',
  options: {
    rounds: { default: 5, description: 'number of rounds, each with new secrets' },
    requests: {
      default: 100_000,
      description: 'maximum number of API requests per round, chosen at random from about 5,000',
    },
    web: { default: 1, description: '1: test the web application as well, building it if needed; 0: the API only' },
  },
  mutantOptions: { rounds: 1, requests: 1200, web: 0 },
  dedicatedPostgres: true,
  mutants: secretsMutants,
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, onTeardown, log }: ScenarioContext): Promise<ScenarioResult> {
  const { rounds = 1, requests = 1, web = 0 } = options
  const environment = await openEnvironment({ nodes: 0, synchronousCommit: false, maxSeconds: 60 + 20 * rounds })
  const random = new SeededRandom(seed)
  const [pepper, password] = [makeCanary('a pepper'), makeCanary('the database password')]
  const metricsPort = await freePort()
  const node = await environment.startNode({
    env: {
      DATABASE_URL: environment.apiUrl.replace(/:[^:@]*@/, `:${password.text}@`),
      API_KEY_PEPPERS: `${pepper.text},${PEPPER}`,
      METRICS_PORT: String(metricsPort),
    },
  })
  await node.waitUntilReady()
  const scanner = new LeakScanner(node)
  scanner.detector.add(pepper, password)
  const set = environment.market.sets[0]!.set_number
  for (let round = 0; round < rounds; round++) {
    const secrets = await makeSecrets(environment)
    scanner.detector.add(...secrets.activeKeys, ...secrets.keys, ...secrets.others)
    const keys = [...secrets.activeKeys, ...secrets.keys]
    await scanner.sendAll(secrets.keys.flatMap(docsRequestsWith).map((request) => ({ request, allowedEchoes: keys })))
    await requestsDuringOutage(environment, scanner, secrets, set)
    // Last, because the database keeps each key's last request.
    await scanner.sendAll(random.shuffle(requestsWithSecrets(secrets, set)).slice(0, requests))
    log(`round ${round + 1}: ${scanner.responses} responses`)
  }
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(textOf, () => '')
  await sleep(FLUSH_DELAY_MS)
  const starts = await captureStartupFailures(environment, password, pepper)
  const visit = web === 0 ? undefined : await exerciseWebApp(environment, scanner.detector, { onTeardown })
  const dump = await dumpDatabase(environment.db)
  await node.stop()
  scanner.close()
  const locations: LeakLocation[] = [
    { name: 'the API log', text: node.log() },
    { name: 'the PostgreSQL log', text: environment.postgres!.log() },
    { name: 'startup error messages', text: starts },
    { name: 'the metrics', text: metrics },
    { name: 'the database dump', text: dump.text, ...(visit && { allowed: [visit.sessionToken] }) },
    ...(visit ? [{ name: 'the web application log', text: visit.log }] : []),
  ]
  return report(scanner, locations, { rounds, rows: dump.rows, visit })
}

/** A text in which secrets might have ended up. */
type LeakLocation = { name: string; text: string; allowed?: Canary[] }

function report(
  scanner: LeakScanner,
  locations: LeakLocation[],
  { rounds, rows, visit }: { rounds: number; rows: number; visit: WebRun | undefined },
): ScenarioResult {
  const { detector, statuses, inErrors, inResponses, responses } = scanner
  const found = locations.map(({ name, text, allowed }) => ({ name, names: detector.find(text, allowed) }))
  const seen = STATUSES.filter((status) => statuses.has(status)).length
  const leaks = visit?.leaks ?? []
  return {
    checks: [
      none('secrets in error bodies and headers', inErrors.length),
      none('secrets in other responses', inResponses.length),
      ...found.map(({ name, names }) => none(`secrets in ${name}`, names.length)),
      ...(visit ? [none('secrets in web application responses', leaks.length)] : []),
      none('secrets the scanner can’t detect', detector.undetected()),
      none('requests without a response', scanner.withoutResponse),
      exactly(`distinct statuses, of ${STATUSES.join(', ')}`, STATUSES.length, seen),
      atLeast('responses', 1000 * rounds, responses),
      atLeast('rows in the dump', 1000, rows),
    ],
    measurements: {
      responses,
      'by status': Object.fromEntries(statuses),
      ...(visit && { 'web application responses': visit.responses }),
      'rows in the dump': rows,
      'characters searched': Object.fromEntries(locations.map(({ name, text }) => [name, text.length])),
    },
    failures: [
      ...[...inErrors, ...inResponses, ...leaks].slice(0, 12),
      ...found.flatMap(({ name, names }) => names.map((secret) => `${secret} is in ${name}`)),
    ],
  }
}

function textOf(response: Response): Promise<string> {
  return response.text()
}

/**
 * Sends requests during outages: without a table, every private read fails with 500; without PostgreSQL, nothing can be
 * charged.
 */
async function requestsDuringOutage(
  environment: TestEnvironment,
  scanner: LeakScanner,
  secrets: Secrets,
  set: string,
): Promise<void> {
  const callers = secrets.activeKeys.map(({ text }) => `Bearer ${text}`)
  const successful = requestsWithSecrets(secrets, set).filter(({ request }) =>
    callers.includes(request.headers['authorization'] ?? ''),
  )
  const privateReads = successful.filter(({ request }) => /brickfolio|salesledger/.test(request.target))
  await sql`alter table portfolio.collection rename to gone`.execute(environment.db)
  await scanner.sendAll(privateReads)
  await sql`alter table portfolio.gone rename to collection`.execute(environment.db)
  const sample = successful.filter((_, index) => index % Math.ceil(successful.length / OUTAGE_REQUESTS) === 0)
  await environment.postgres!.stop()
  await scanner.sendAll(sample)
  await environment.postgres!.start()
  await scanner.waitUntilServing({ method: 'GET', target: '/api/v1/brickfolio', headers: sample[0]!.request.headers })
}

import { sql } from 'kysely'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { PEPPER } from '../support/fixtures.ts'
import { atLeast, exactly, none, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import { makeCanary, makeSecrets, type Canary, type Secrets } from './secrets/canaries.ts'
import { dumpDatabase, captureStartupFailures } from './secrets/leak-locations.ts'
import { secretsMutants } from './secrets/mutants.ts'
import { requestsWithSecrets, docsRequestsWith } from './secrets/requests.ts'
import { LeakScanner } from './secrets/leak-scanner.ts'
import { exerciseWebApp, type WebRun } from './secrets/web.ts'
import type { TestEnvironment } from './test-environment.ts'

const STATUSES = [200, 400, 401, 403, 404, 429, 500, 503]
/** Requests of keys are told to the database about once a second. */
const FLUSH_DELAY_MS = 1500
/** How many are asked while something is broken, of those that would otherwise be answered. */
const OUTAGE_REQUESTS = 60

/** T23: no secret is in any log, error, metric or dump, wherever it was put in. */
export const secrets: Scenario = {
  name: 'secrets',
  covers: ['T23'],
  summary: 'keys, passwords, sessions and peppers put in everywhere are in no log, error body, metric or dump',
  options: {
    rounds: { default: 5, description: 'how often everything is asked, each time with other secrets' },
    requests: {
      default: 100_000,
      description: 'requests to the api in a round at most, by chance; all are about 5,000',
    },
    web: { default: 1, description: '1: the account application as well, built if need be; 0: the api only' },
  },
  mutantOptions: { rounds: 1, requests: 1200, web: 0 },
  dedicatedPostgres: true,
  mutants: secretsMutants,
  run,
}

async function run({
  seed,
  options,
  openEnvironment: openStage,
  onTeardown,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { rounds = 1, requests = 1, web = 0 } = options
  const stage = await openStage({ nodes: 0, synchronousCommit: false, maxSeconds: 60 + 20 * rounds })
  const random = new SeededRandom(seed)
  const [pepper, password] = [makeCanary('a pepper'), makeCanary('the password of the database')]
  const metricsPort = await freePort()
  const node = await stage.startNode({
    env: {
      DATABASE_URL: stage.apiUrl.replace(/:[^:@]*@/, `:${password.text}@`),
      API_KEY_PEPPERS: `${pepper.text},${PEPPER}`,
      METRICS_PORT: String(metricsPort),
    },
  })
  await node.waitUntilReady()
  const search = new LeakScanner(node)
  search.detector.add(pepper, password)
  const set = stage.market.sets[0]!.set_number
  for (let round = 0; round < rounds; round++) {
    const made = await makeSecrets(stage)
    search.detector.add(...made.activeKeys, ...made.keys, ...made.others)
    const keys = [...made.activeKeys, ...made.keys]
    await search.sendAll(made.keys.flatMap(docsRequestsWith).map((ask) => ({ ask, allowedEchoes: keys })))
    await requestsDuringOutage(stage, search, made, set)
    // Last, because of each key the database keeps the last request.
    await search.sendAll(random.shuffle(requestsWithSecrets(made, set)).slice(0, requests))
    log(`round ${round + 1}: ${search.answers} answers`)
  }
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(textOf, () => '')
  await new Promise((resolve) => setTimeout(resolve, FLUSH_DELAY_MS))
  const starts = await captureStartupFailures(stage, password, pepper)
  const visit = web === 0 ? undefined : await exerciseWebApp(stage, search.detector, { onTeardown })
  const kept = await dumpDatabase(stage.db)
  await node.stop()
  search.close()
  const places: LeakLocation[] = [
    { name: 'the log of the api', text: node.log() },
    { name: 'the log of PostgreSQL', text: stage.postgres!.log() },
    { name: 'what processes say that cannot start', text: starts },
    { name: 'metrics', text: metrics },
    { name: 'a dump of the database', text: kept.text, ...(visit && { allowed: [visit.sessionToken] }) },
    ...(visit ? [{ name: 'the log of the web application', text: visit.log }] : []),
  ]
  return report(search, places, { rounds, rows: kept.rows, visit })
}

/** Where secrets might have ended up. */
type LeakLocation = { name: string; text: string; allowed?: Canary[] }

function report(
  search: LeakScanner,
  places: LeakLocation[],
  { rounds, rows, visit }: { rounds: number; rows: number; visit: WebRun | undefined },
): ScenarioResult {
  const { detector, statuses, inErrors, inResponses, answers } = search
  const found = places.map(({ name, text, allowed }) => ({ name, names: detector.find(text, allowed) }))
  const seen = STATUSES.filter((status) => statuses.has(status)).length
  const leaks = visit?.leaks ?? []
  return {
    checks: [
      none('secrets in error bodies and headers', inErrors.length),
      none('secrets in other answers', inResponses.length),
      ...found.map(({ name, names }) => none(`secrets in ${name}`, names.length)),
      ...(visit ? [none('secrets in answers of the web application', leaks.length)] : []),
      none('secrets that the search would overlook', detector.undetected()),
      none('requests without an answer', search.unanswered),
      exactly(`statuses seen, of ${STATUSES.join(', ')}`, STATUSES.length, seen),
      atLeast('answers', 1000 * rounds, answers),
      atLeast('rows in the dump', 1000, rows),
    ],
    measurements: {
      answers,
      'by status': Object.fromEntries(statuses),
      ...(visit && { 'answers of the web application': visit.answers }),
      'rows in the dump': rows,
      'characters searched': Object.fromEntries(places.map(({ name, text }) => [name, text.length])),
    },
    failures: [
      ...[...inErrors, ...inResponses, ...leaks].slice(0, 12),
      ...found.flatMap(({ name, names }) => names.map((secret) => `${secret} is in ${name}`)),
    ],
  }
}

function textOf(answer: Response): Promise<string> {
  return answer.text()
}

/** With a table gone every private read is a bug of ours; with PostgreSQL gone nothing can be charged. */
async function requestsDuringOutage(
  stage: TestEnvironment,
  search: LeakScanner,
  made: Secrets,
  set: string,
): Promise<void> {
  const callers = made.activeKeys.map(({ text }) => `Bearer ${text}`)
  const good = requestsWithSecrets(made, set).filter(({ ask }) => callers.includes(ask.headers['authorization'] ?? ''))
  const privately = good.filter(({ ask }) => /brickfolio|salesledger/.test(ask.target))
  await sql`alter table portfolio.brickfolio rename to gone`.execute(stage.db)
  await search.sendAll(privately)
  await sql`alter table portfolio.gone rename to brickfolio`.execute(stage.db)
  const some = good.filter((_, index) => index % Math.ceil(good.length / OUTAGE_REQUESTS) === 0)
  await stage.postgres!.stop()
  await search.sendAll(some)
  await stage.postgres!.start()
  await search.waitUntilServing({ method: 'GET', target: '/api/v1/brickfolio', headers: some[0]!.ask.headers })
}

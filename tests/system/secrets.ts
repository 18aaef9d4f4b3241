import { sql } from 'kysely'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { PEPPER } from '../support/fixtures.ts'
import { atLeast, exactly, none, type Proof, type ProofContext, type ProofResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import { makeCanary, makeSecrets, type Canary, type Secrets } from './secrets/canaries.ts'
import { dump, failToStart } from './secrets/leak-locations.ts'
import { secretsPlants } from './secrets/mutants.ts'
import { carriers, pagesWith } from './secrets/requests.ts'
import { Search } from './secrets/leak-scanner.ts'
import { visitWeb, type Visit } from './secrets/web.ts'
import type { Stage } from './test-environment.ts'

const STATUSES = [200, 400, 401, 403, 404, 429, 500, 503]
/** Requests of keys are told to the database about once a second. */
const TOLD_AFTER_MS = 1500
/** How many are asked while something is broken, of those that would otherwise be answered. */
const WHILE_BROKEN = 60

/** T23: no secret is in any log, error, metric or dump, wherever it was put in. */
export const secrets: Proof = {
  name: 'secrets',
  covers: ['T23'],
  summary: 'keys, passwords, sessions and peppers put in everywhere are in no log, error body, metric or dump',
  options: {
    rounds: { default: 5, what: 'how often everything is asked, each time with other secrets' },
    requests: { default: 100_000, what: 'requests to the api in a round at most, by chance; all are about 5,000' },
    web: { default: 1, what: '1: the account application as well, built if need be; 0: the api only' },
  },
  smallLoad: { rounds: 1, requests: 1200, web: 0 },
  ownServer: true,
  plants: secretsPlants,
  run,
}

async function run({ seed, options, stage: openStage, stopAtEnd, say }: ProofContext): Promise<ProofResult> {
  const { rounds = 1, requests = 1, web = 0 } = options
  const stage = await openStage({ nodes: 0, durable: false, seconds: 60 + 20 * rounds })
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
  await node.ready()
  const search = new Search(node)
  search.detector.add(pepper, password)
  const set = stage.market.sets[0]!.set_number
  for (let round = 0; round < rounds; round++) {
    const made = await makeSecrets(stage)
    search.detector.add(...made.callers, ...made.keys, ...made.others)
    const keys = [...made.callers, ...made.keys]
    await search.askAll(made.keys.flatMap(pagesWith).map((ask) => ({ ask, asked: keys })))
    await whileBroken(stage, search, made, set)
    // Last, because of each key the database keeps the last request.
    await search.askAll(random.shuffle(carriers(made, set)).slice(0, requests))
    say(`round ${round + 1}: ${search.answers} answers`)
  }
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(textOf, () => '')
  await new Promise((resolve) => setTimeout(resolve, TOLD_AFTER_MS))
  const starts = await failToStart(stage, password, pepper)
  const visit = web === 0 ? undefined : await visitWeb(stage, search.detector, { stopAtEnd })
  const kept = await dump(stage.db)
  await node.stop()
  search.close()
  const places: Place[] = [
    { name: 'the log of the api', text: node.log() },
    { name: 'the log of PostgreSQL', text: stage.server!.log() },
    { name: 'what processes say that cannot start', text: starts },
    { name: 'metrics', text: metrics },
    { name: 'a dump of the database', text: kept.text, ...(visit && { may: [visit.sessionToken] }) },
    ...(visit ? [{ name: 'the log of the web application', text: visit.log }] : []),
  ]
  return report(search, places, { rounds, rows: kept.rows, visit })
}

/** Where secrets might have ended up. */
type Place = { name: string; text: string; may?: Canary[] }

function report(
  search: Search,
  places: Place[],
  { rounds, rows, visit }: { rounds: number; rows: number; visit: Visit | undefined },
): ProofResult {
  const { detector, statuses, inErrors, inAnswers, answers } = search
  const found = places.map(({ name, text, may }) => ({ name, names: detector.find(text, may) }))
  const seen = STATUSES.filter((status) => statuses.has(status)).length
  const telling = visit?.telling ?? []
  return {
    goals: [
      none('secrets in error bodies and headers', inErrors.length),
      none('secrets in other answers', inAnswers.length),
      ...found.map(({ name, names }) => none(`secrets in ${name}`, names.length)),
      ...(visit ? [none('secrets in answers of the web application', telling.length)] : []),
      none('secrets that the search would overlook', detector.missed()),
      none('requests without an answer', search.unanswered),
      exactly(`statuses seen, of ${STATUSES.join(', ')}`, STATUSES.length, seen),
      atLeast('answers', 1000 * rounds, answers),
      atLeast('rows in the dump', 1000, rows),
    ],
    figures: {
      answers,
      'by status': Object.fromEntries(statuses),
      ...(visit && { 'answers of the web application': visit.answers }),
      'rows in the dump': rows,
      'characters searched': Object.fromEntries(places.map(({ name, text }) => [name, text.length])),
    },
    failures: [
      ...[...inErrors, ...inAnswers, ...telling].slice(0, 12),
      ...found.flatMap(({ name, names }) => names.map((secret) => `${secret} is in ${name}`)),
    ],
  }
}

function textOf(answer: Response): Promise<string> {
  return answer.text()
}

/** With a table gone every private read is a bug of ours; with PostgreSQL gone nothing can be charged. */
async function whileBroken(stage: Stage, search: Search, made: Secrets, set: string): Promise<void> {
  const callers = made.callers.map(({ text }) => `Bearer ${text}`)
  const good = carriers(made, set).filter(({ ask }) => callers.includes(ask.headers['authorization'] ?? ''))
  const privately = good.filter(({ ask }) => /brickfolio|salesledger/.test(ask.target))
  await sql`alter table portfolio.brickfolio rename to gone`.execute(stage.db)
  await search.askAll(privately)
  await sql`alter table portfolio.gone rename to brickfolio`.execute(stage.db)
  const some = good.filter((_, place) => place % Math.ceil(good.length / WHILE_BROKEN) === 0)
  await stage.server!.stop()
  await search.askAll(some)
  await stage.server!.start()
  await search.untilServed({ method: 'GET', target: '/api/v1/brickfolio', headers: some[0]!.ask.headers })
}

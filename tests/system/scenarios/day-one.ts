import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import type { Database } from '@brickmark/core/db/database'
import { Client } from '../../support/http-client.ts'
import { startCatalogServices, type CatalogServices, type FakeSet } from '../../support/catalog-services.ts'
import { asRole } from '../../support/database.ts'
import { SeededRandom } from '../harness/random.ts'
import {
  atLeast,
  atMost,
  exactly,
  none,
  timing,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { startWebNode, type WebNode } from '../harness/web-node.ts'
import { BrowserSession } from './day-one/browser-session.ts'
import { dayOneMutants } from './day-one/mutants.ts'
import { startWorkerNode } from './valuation-pipeline/worker-node.ts'

/**
 * From an empty database to an operator, a catalog and retail prices, with fakes of all services that a worker reads, and workers
 * that are killed on the way.
 */
export const dayOne = {
  name: 'day-one',
  summary: 'an empty service gets an operator, a searchable catalog and retail prices within minutes',
  options: {
    sets: { default: 25_000, description: 'sets that the services know' },
    minifigs: { default: 18_000, description: 'minifigs that they know' },
    kills: { default: 20, description: 'workers killed on the way' },
    pages: { default: 500, description: 'sets whose pages are checked' },
  },
  mutantOptions: { sets: 600, minifigs: 200, kills: 0, pages: 20 },
  mutants: dayOneMutants,
  run,
} satisfies Scenario

const CATALOG_GOAL_S = 300
const PRICE_GOAL_S = 600
/** Nothing that is still missing then will come. The whole catalog takes a third of this. */
const deadlineSeconds = (sets: number) => 150 + sets / 33
/** Workers live for 2 to 15 seconds while they are being killed. */
const [MIN_LIFE_MS, MAX_LIFE_MS] = [2000, 15_000]

async function run({
  seed,
  options,
  openEnvironment,
  onTeardown,
  root,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { sets = 0, minifigs = 0, kills = 0, pages = 0 } = options
  const environment = await openEnvironment({ nodes: 1, empty: true, maxSeconds: 1800, synchronousCommit: true })
  const { db } = environment
  const services = await startCatalogServices(sets, minifigs)
  onTeardown(() => services.stop())
  const random = new SeededRandom(seed)
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 100) / 10

  const web = await startWebNode(root, {
    DATABASE_URL: asRole(environment.url, 'brickmark_web'),
    WEB_SECRET: 'w'.repeat(32),
    MAIL_URL: 'file:///tmp',
  })
  const operator = new BrowserSession(web.origin)
  await becomeOperator(operator, web)
  const operatorAt = seconds()
  log(`operator created after ${operatorAt} s`)

  const startWorker = () =>
    startWorkerNode(root, asRole(environment.url, 'brickmark_worker'), {
      ...services.env,
      KEEPA_TOKENS_PER_MINUTE: '1000',
      WALMART_CALLS_PER_MINUTE: '1000',
      LOG_LEVEL: 'info',
    })
  const watch = watchProgress(db, operator, services, seconds)
  for (let kill = 0; kill < kills; kill++) {
    const worker = await startWorker()
    await sleep(random.int(MIN_LIFE_MS, MAX_LIFE_MS))
    await worker.kill()
  }
  if (kills > 0) log(`${kills} workers killed by ${seconds()} s`)
  await startWorker()
  const progress = await watch
  log(`catalog ${progress.catalogAt} s, dates ${progress.datesAt} s, first price ${progress.priceAt} s`)

  // A worker that was killed may have left a part of the catalog to the next one.
  while (seconds() < deadlineSeconds(sets) && (await count(db, 'catalog.set')) < sets) await sleep(500)
  const known = services.sets.filter(({ brickset }) => brickset !== null)
  const stored = await findStoredSets(db)
  const account = await environment.createAccount({ limit: 1e9 })
  const sample = Array.from({ length: pages }, () => random.pick(services.sets))
  const unexplained = await checkPages(operator, db, sample)
  const guessed = await countGuessedStatus(environment.nodes[0]!.port, account.key, services)
  return {
    checks: [
      timing(atMost('seconds until the catalog could be searched', CATALOG_GOAL_S, progress.catalogAt)),
      timing(atMost('seconds until the first retail price', PRICE_GOAL_S, progress.priceAt)),
      exactly('sets', sets, stored.size),
      exactly('minifigs', minifigs, await count(db, 'catalog.minifig')),
      exactly('minifigs in sets', services.contents, await count(db, 'catalog.set_minifig')),
      none(
        'sets that differ from what the services say',
        services.sets.filter((set) => !isAsStated(set, stored)).length,
      ),
      atLeast(
        'sets with date and list price, in % of those with a source',
        95,
        percent(known.filter(({ number }) => stored.get(number)?.isDated === true).length, known.length),
      ),
      none('sets called available without knowing it', guessed),
      none('retail prices that differ from what the shops say', await countWrongPrices(db, services)),
      none('displayed facts without a source', unexplained.length),
    ],
    measurements: {
      'operator, s': operatorAt,
      'catalog searchable, s': progress.catalogAt,
      'dates and list prices, s': progress.datesAt,
      'first retail price, s': progress.priceAt,
      'retail prices': await count(db, 'market.retail_state'),
      requests: Object.fromEntries(services.requests),
    },
    failures: unexplained.slice(0, 20),
  }
}

/** Walks from the line in the log to the Data page. */
async function becomeOperator(browser: BrowserSession, web: WebNode): Promise<void> {
  const address = new URL(/"url":"([^"]+\/setup\?[^"]+)"/.exec(web.log())![1]!)
  const token = address.searchParams.get('token')!
  const password = 'correct horse battery staple'
  await browser.get(address.pathname + address.search)
  await browser.post('/setup', { token, name: 'Olga', email: 'olga@example.com', password })
  const page = await browser.post('/account/two-factor', { intent: 'begin', password })
  const uri = /otpauth:\/\/[^"&]+(?:&amp;[^"&]+)*/.exec(page)![0].replaceAll('&amp;', '&')
  const codes = /name="codes" value="([^"]+)"/.exec(page)![1]!
  const code = new TOTP({ secret: new URL(uri).searchParams.get('secret')! }).generate()
  await browser.post('/account/two-factor', { intent: 'confirm', code, uri, codes })
  await browser.post('/setup', { token, intent: 'appoint' })
  const data = await browser.get('/admin/data')
  if (!data.includes('Sources')) throw new Error('The operator doesn’t get to the Data page.')
}

type Progress = { catalogAt: number; datesAt: number; priceAt: number }

/** Waits until the catalog can be searched, everything with a date has it, and a price has arrived. */
async function watchProgress(
  db: Database,
  browser: BrowserSession,
  { sets }: CatalogServices,
  seconds: () => number,
): Promise<Progress> {
  const progress: Progress = { catalogAt: Infinity, datesAt: Infinity, priceAt: Infinity }
  const dated = sets.filter(({ brickset }) => brickset !== null).length
  const last = sets.at(-1)!
  for (; seconds() < deadlineSeconds(sets.length) && Object.values(progress).includes(Infinity); await sleep(500)) {
    if (progress.catalogAt === Infinity) {
      const page = await browser.get(`/search?q=${encodeURIComponent(last.name)}`)
      if (page.includes(`/set/${last.number}`)) progress.catalogAt = seconds()
    }
    const { rows } = await sql<{ dated: number; prices: number }>`
      select (select count(*)::integer from catalog.set where release_date is not null and msrp_cents is not null) as dated,
             (select count(*)::integer from market.retail_state where price_cents is not null) as prices`.execute(db)
    const [row] = rows
    if (progress.datesAt === Infinity && row!.dated >= dated) progress.datesAt = seconds()
    if (progress.priceAt === Infinity && row!.prices > 0) progress.priceAt = seconds()
  }
  return progress
}

type StoredSet = { title: string; theme: string; pieces: number | null; year: number | null; isDated: boolean }

async function findStoredSets(db: Database): Promise<Map<string, StoredSet>> {
  const { rows } = await sql<StoredSet & { set_number: string }>`
    select set_number, title, theme, pieces, coalesce(release_year, extract(year from release_date)::integer) as year,
           release_date is not null and msrp_cents is not null as "isDated"
      from catalog.set`.execute(db)
  return new Map(rows.map(({ set_number, ...set }) => [set_number, set]))
}

function isAsStated({ number, name, theme, pieces, year }: FakeSet, stored: Map<string, StoredSet>): boolean {
  const set = stored.get(number)
  return set?.title === name && set.theme === theme && set.pieces === pieces && set.year === year
}

async function count(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}`.execute(db)
  return rows[0]!.count
}

/** Of the sets that no source has a date of, how many the API doesn't call unknown. */
async function countGuessedStatus(port: number, key: string, { sets }: CatalogServices): Promise<number> {
  const undated = sets.filter(({ brickset }) => brickset === null).slice(0, 500)
  const client = new Client(port, 4)
  let guessed = 0
  for (const { number } of undated) {
    const { response } = await client.request({
      method: 'GET',
      target: `/api/v1/set/${number}`,
      headers: { authorization: `Bearer ${key}` },
    })
    const { data } = JSON.parse(response!.text) as { data?: { status_id: number } }
    if (data?.status_id !== 5) guessed++
  }
  client.close()
  return guessed
}

/** Every price must be one that a shop asks for that very set, and of each product there must be one state. */
async function countWrongPrices(db: Database, { sets }: CatalogServices): Promise<number> {
  const { rows } = await sql<{ set_number: string; retailer: string; price_cents: number }>`
    select set_number, retailer, price_cents from market.retail_state where price_cents is not null`.execute(db)
  const listPrices = new Map(sets.map(({ number, brickset }) => [number, brickset?.listPrice]))
  return rows.filter(({ set_number, retailer, price_cents }) => {
    const listPrice = Math.round((listPrices.get(set_number) ?? 0) * 100)
    return price_cents !== (retailer === 'retailer_a' ? listPrice - 100 : listPrice)
  }).length
}

/** What is stored of a set, and shown. */
const FACTS = ['title', 'theme', 'pieces', 'release_date', 'release_year', 'msrp_cents', 'upc', 'ean', 'image_url']

/** Returns the facts of these sets that no source is named for, and sets whose page doesn't say where they come from. */
async function checkPages(browser: BrowserSession, db: Database, sets: FakeSet[]): Promise<string[]> {
  const problems: string[] = []
  for (const { number, brickset } of sets) {
    const { rows } = await sql<{ facts: Record<string, unknown>; origins: Record<string, unknown> | null }>`
      select to_jsonb(set) as facts, origin.origins
        from catalog.set left join catalog.set_origin origin using (set_number) where set_number = ${number}`.execute(
      db,
    )
    const { facts, origins } = rows[0] ?? { facts: {}, origins: null }
    for (const fact of FACTS)
      if (facts[fact] !== undefined && facts[fact] !== null && origins?.[fact] === undefined)
        problems.push(`${number}: ${fact} has no source`)
    const page = await browser.get(`/set/${number}`)
    if (!page.includes('Rebrickable')) problems.push(`${number}: its page doesn’t name Rebrickable`)
    if (brickset !== null && !page.includes('Brickset')) problems.push(`${number}: its page doesn’t name Brickset`)
  }
  return problems
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.round((1000 * part) / whole) / 10
}

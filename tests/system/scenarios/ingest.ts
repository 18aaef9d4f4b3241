import { sql } from 'kysely'
import { VALID_ROWS, toCsv } from '../../support/feed-fixtures.ts'
import { malformedFiles } from '../../support/malformed-feeds.ts'
import { serviceRoot } from './ingest/load-ingest.ts'
import { encodeFile, FEEDS, validRows, LICENSE, SOURCE, ingestCatalog } from './ingest/valid-files.ts'
import { findQuarantineMismatches, countRows, registerSources, Ingester, rowsOf } from './ingest/ingester.ts'
import { killRepeatedly } from './ingest/kill-runs.ts'
import { mutate, countFileRows } from './ingest/mutate.ts'
import { ingestMutants } from './ingest/mutants.ts'
import {
  atLeast,
  exactly,
  none,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

/**
 * Whatever a file contains and whenever its process dies, the file is published completely, once, or not at all.
 */
export const ingest = {
  name: 'ingest',
  summary:
    'ingests malformed and mutated files and survives kill −9: no crash, no partial publish, a reason for every bad row',
  options: {
    mutations: { default: 10_000, description: 'files with random bytes changed' },
    kills: { default: 100, description: 'number of times a process or its connection is killed during ingestion' },
  },
  mutantOptions: { mutations: 60, kills: 4 },
  mutants: ingestMutants,
  run,
} satisfies Scenario

type Findings = {
  malformed: number
  mutations: number
  refused: number
  crashes: number
  sqlErrors: number
  wrongCounts: number
  doubled: number
  failures: string[]
}

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { mutations = 0, kills = 0 } = options
  const environment = await openEnvironment({
    nodes: 0,
    synchronousCommit: false,
    maxSeconds: 120 + mutations / 50 + kills * 2,
  })
  const ingester = await Ingester.open(environment, serviceRoot())
  const findings: Findings = {
    malformed: 0,
    mutations: 0,
    refused: 0,
    crashes: 0,
    sqlErrors: 0,
    wrongCounts: 0,
    doubled: 0,
    failures: [],
  }
  try {
    await registerSources(environment.db, LICENSE, [SOURCE])
    await registerSources(environment.db, 'demo', ['demo-market'])
    await ingestCatalog(ingester)
    await ingestMalformedFiles(environment, ingester, findings)
    log(`${findings.malformed} malformed files`)
    await ingestMutatedFiles(environment, ingester, findings, { seed, mutations, log })
    const changedByReingest = await reingest(environment, ingester, seed, findings)
    const mismatches = await findQuarantineMismatches(environment.db)
    const killed = await killRepeatedly(environment, ingester, seed, kills)
    log(`${killed.kills} kills`)
    return {
      checks: [
        atLeast('malformed files', 60, findings.malformed),
        exactly('mutations', mutations, findings.mutations),
        exactly('kills', kills, killed.kills),
        none('crashes', findings.crashes),
        none('SQL errors', findings.sqlErrors),
        none('files with inconsistent counts', findings.wrongCounts),
        none('imports with unexplained bad rows', mismatches.length),
        none('partial publishes', killed.partial),
        none('files duplicated or changed by re-ingestion', changedByReingest + killed.doubled),
        atLeast('files not published because of a kill', kills > 0 ? 1 : 0, killed.notPublished),
      ],
      measurements: {
        'mutated files rejected as a whole': findings.refused,
        'after a kill, files absent / complete': [killed.notPublished, killed.fullyPublished],
        'kill window, ms': killed.longestMs,
        rows: await countRows(environment.db),
      },
      failures: [...findings.failures, ...mismatches, ...killed.failures].slice(0, 20),
    }
  } finally {
    await ingester.close()
  }
}

async function ingestMalformedFiles({ db }: TestEnvironment, ingester: Ingester, findings: Findings): Promise<void> {
  // The items that the three valid rows of every feed refer to.
  const catalog = [
    ...VALID_ROWS.catalog,
    { ...VALID_ROWS.catalog[0]!, set_number: '90002-1', asin: '', upc: '', ean: '' },
    ...[1, 2].map((n) => ({
      source: 'demo-market',
      license: 'demo',
      record: 'product',
      set_number: `9000${n}-1`,
      retailer: 'retailer_a',
      product_id: `B00000000${n}`,
      product_url: 'https://a.example/1',
    })),
  ]
  await ingester.ingestOrThrow('catalog', Buffer.from(toCsv('catalog', catalog)), 'catalog for the malformed files')
  for (const { name, feed, bytes, outcome } of malformedFiles) {
    const before = await countRows(db)
    const result = await ingester.ingest(feed, bytes(), name)
    findings.malformed++
    if (recordCrash(result, name, findings)) continue
    const leftRows = 'refused' in result && JSON.stringify(await countRows(db)) !== JSON.stringify(before)
    const isExpected =
      'ingestResult' in result
        ? outcome !== 'refused' &&
          rowsOf(result.ingestResult) === outcome.good + outcome.bad &&
          result.ingestResult.quarantined === outcome.bad
        : outcome === 'refused' && !leftRows
    if (!isExpected)
      recordMismatch(
        findings,
        `malformed file "${name}": ${JSON.stringify(result)}, expected ${JSON.stringify(outcome)}`,
      )
  }
}

type IngestResult = Awaited<ReturnType<Ingester['ingest']>>

function recordCrash(
  result: IngestResult,
  name: string,
  findings: Findings,
): result is Extract<IngestResult, { crash: Error }> {
  if (!('crash' in result)) return false
  if (result.isSql) findings.sqlErrors++
  else findings.crashes++
  findings.failures.push(`${name}: ${result.crash.stack}`)
  return true
}

function recordMismatch(findings: Findings, failure: string): void {
  findings.wrongCounts++
  findings.failures.push(failure)
}

const ROWS = 20

/** Ingests the files of each feed sequentially, and the four feeds in parallel. */
async function ingestMutatedFiles(
  { db }: TestEnvironment,
  ingester: Ingester,
  findings: Findings,
  { seed, mutations, log }: { seed: number; mutations: number; log: (text: string) => void },
): Promise<void> {
  const before = await countRows(db)
  const accepted: Record<string, number> = { sales: 0, returns: 0, retail: 0, catalog: 0 }
  const worker = async (index: number) => {
    const feed = FEEDS[index]!
    for (let number = index; number < mutations; number += FEEDS.length) {
      const random = new SeededRandom(seed * 1_000_003 + number)
      const file = encodeFile(feed, validRows(feed, random, `m${number}`, ROWS), random)
      const otherFeed = random.next() < 0.5 ? feed : random.pick(FEEDS)
      const other = encodeFile(otherFeed, validRows(otherFeed, random, `o${number}`, ROWS), random)
      const { bytes, applied } = mutate(file, random, other)
      const name = `${feed} mutation ${number} (${applied})`
      const result = await ingester.ingest(feed, bytes, name)
      findings.mutations++
      if (findings.mutations % 2000 === 0) log(`${findings.mutations} mutations`)
      if (recordCrash(result, `${name}: ${bytes.toString('base64').slice(0, 4000)}`, findings)) continue
      if ('refused' in result) findings.refused++
      else {
        accepted[feed]! += result.ingestResult.accepted
        if (rowsOf(result.ingestResult) !== countFileRows(bytes)) {
          recordMismatch(findings, `${name}: ${JSON.stringify(result)} of ${countFileRows(bytes)} rows`)
        }
      }
    }
  }
  await Promise.all(FEEDS.map((_, index) => worker(index)))
  const after = await countRows(db)
  const growth = (table: string) => after[table]! - before[table]!
  const expectedGrowth = {
    sale_observation: accepted['sales']!,
    sale_event: accepted['sales']!,
    sale_return: accepted['returns']!,
    retail_observation: accepted['retail']!,
    import: findings.mutations - findings.refused - findings.crashes - findings.sqlErrors,
  }
  for (const [table, rows] of Object.entries(expectedGrowth)) {
    if (growth(table) !== rows) recordMismatch(findings, `${table} grew by ${growth(table)} rows, expected ${rows}`)
  }
}

/**
 * Ingests valid files three times, the third time with other dates: only the first may change anything. Returns how
 * many of the others did.
 */
async function reingest(
  { db }: TestEnvironment,
  ingester: Ingester,
  seed: number,
  findings: Findings,
): Promise<number> {
  let changed = 0
  for (const feed of FEEDS) {
    for (let n = 0; n < 5; n++) {
      const random = new SeededRandom(seed * 31 + n)
      const rows = validRows(feed, random, `again-${n}`, 50)
      const file = encodeFile(feed, rows, random)
      const first = await ingester.ingestOrThrow(feed, file, `${feed} first time ${n}`)
      const before = await checksum(db)
      const shifted = rows.map((row) => ({ ...row, ...shiftDates(row) }))
      for (const bytes of feed === 'catalog' ? [file] : [file, encodeFile(feed, shifted, random)]) {
        const repeated = await ingester.ingest(feed, bytes, `${feed} repeat ${n}`)
        if (recordCrash(repeated, `${feed} ingested again`, findings)) continue
        const unchanged =
          'ingestResult' in repeated &&
          repeated.ingestResult.accepted === 0 &&
          repeated.ingestResult.quarantined === first.quarantined
        if (unchanged && (await checksum(db)) === before) continue
        changed++
        findings.failures.push(`${feed} ingested again: ${JSON.stringify(repeated)} after ${JSON.stringify(first)}`)
      }
    }
  }
  return changed
}

function shiftDates({ sold_on, returned_on, observed_at }: Record<string, string>): Record<string, string> {
  if (sold_on !== undefined) return { sold_on: '2025-12-24', known_on: '' }
  if (returned_on !== undefined) return { returned_on: '2025-12-24', known_on: '' }
  return observed_at === undefined ? {} : { observed_at: observed_at.replace('2026', '2025') }
}

/** Checksum over all tables that files populate, except the import log and the recompute markers. */
async function checksum(db: TestEnvironment['db']): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables t join pg_class c on c.relname = t.tablename
       and c.relnamespace = t.schemaname::regnamespace and not c.relispartition
     where schemaname in ('source', 'catalog') and tablename not in ('import', 'quarantine', 'valuation_queue', 'retail_queue')
     order by 1`.execute(db)
  const parts = tables.map(({ name }) => `(select coalesce(sum(hashtextextended(t::text, 0)), 0) from ${name} t)`)
  const { rows } = await sql<{ sum: string }>`select concat_ws(' ', ${sql.raw(parts.join(', '))}) as sum`.execute(db)
  return rows[0]!.sum
}

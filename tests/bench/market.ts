import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { queueAllItems } from '@brickmark/core/market/values/valuation-queue-commands'
import { declareSource } from '@brickmark/core/source/source-commands'
import { latestFinalizableMonth } from '@brickmark/core/market/values/month-finalization'
import { formatMonth } from '@brickmark/core/primitives/calendar'
import type { MarketContext } from '@brickmark/core/db/context'
import { ingestFile } from '@brickmark/core/source/ingest-commands'
import { recomputeDirty } from '@brickmark/core/market/values/recompute-commands'
import { withDebianPostgres } from './debian-postgres.ts'
import { atMost, logProgress, type BenchReport } from './report.ts'
import { median, round3 } from './statistics.ts'
import { measureValuationCost } from './valuation-cost.ts'

const DIRTY_ITEMS = 500
const ROUNDS = 9
const DAYS = 1095

type LoadedMarket = { marketContext: MarketContext; figures: Figures }
type Figures = {
  rows: number
  sets: number
  load_rows_per_second: number
  memory_growth_mb: number
  finalize_seconds: number
  finalize_peak_mb: number
  value_all_seconds: number
}

/**
 * Loads sales and values every set once, in three databases: with all rows; with a tenth of the rows for the same sets
 * (a tenth of the sales per set); and with a tenth of the rows for a tenth of the sets (as many sales per set). Then
 * measures incremental valuation in each of them, interleaved.
 */
export async function benchMarket({ rows, sets }: { rows: number; sets: number }): Promise<BenchReport> {
  const valuationCost = measureValuationCost()
  logProgress(`a set with 80 sales in each condition valued in ${valuationCost} ms`)
  return withLoadedMarket(rows / 10, sets, (sparse) =>
    withLoadedMarket(rows / 10, sets / 10, (narrow) =>
      withLoadedMarket(rows, sets, (full) => compare(sparse, narrow, full, valuationCost)),
    ),
  )
}

async function compare(
  sparseMarket: LoadedMarket,
  narrowMarket: LoadedMarket,
  fullMarket: LoadedMarket,
  valuationCost: number,
): Promise<BenchReport> {
  const all = [sparseMarket, narrowMarket, fullMarket]
  const rounds: number[][] = [[], [], []]
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, { marketContext, figures }] of all.entries()) {
      const seconds = await timeIncrementalValuation(marketContext, round)
      // Round -1 is a warm-up.
      if (round >= 0) rounds[index]!.push((seconds / Math.min(DIRTY_ITEMS, figures.sets)) * 1000)
    }
  }
  const [perSparse, perNarrow, perWhole] = rounds.map(median) as [number, number, number]
  const [few, many] = [sparseMarket.figures.rows, fullMarket.figures.rows]
  return {
    benchmark: 'market',
    goals: [
      atMost('CPU of valuing a set with 80 sales in each condition, ms', 1.25, valuationCost),
      atMost(`incremental time per set: ${many} rows ÷ ${few}, same sets`, 1.3, round3(perWhole / perSparse)),
      atMost(`incremental time per set: ${many} rows ÷ ${few}, same sales per set`, 1.3, round3(perWhole / perNarrow)),
      atMost('memory growth while loading, MB', 150, fullMarket.figures.memory_growth_mb),
      atMost('peak memory of finalizing a month, MB', 300, fullMarket.figures.finalize_peak_mb),
    ].flatMap((goal) => goal ?? []),
    figures: {
      sparse: { ...sparseMarket.figures, incremental_ms_per_set: round3(perSparse) },
      narrow: { ...narrowMarket.figures, incremental_ms_per_set: round3(perNarrow) },
      full: { ...fullMarket.figures, incremental_ms_per_set: round3(perWhole) },
    },
  }
}

/** Loads a market into a separate database and runs `work` on it. */
function withLoadedMarket<T>(rows: number, sets: number, work: (benchMarket: LoadedMarket) => Promise<T>): Promise<T> {
  return withDebianPostgres(async (url) => {
    const pool = openPool(url, { size: 4, statementTimeoutMs: 7_200_000 })
    const marketContext: MarketContext = {
      pool,
      db: openDatabase(pool),
      log: pino({ level: 'silent' }),
      now: () => new Date(),
    }
    try {
      await seedSets(marketContext, sets)
      const { seconds: loading, growth } = await ingestSales(marketContext, rows, sets)
      logProgress(`${rows} rows loaded in ${loading.toFixed(0)} s`)
      await skipEarlierMonths(marketContext)
      const finalizing = await finalizeMonths(url)
      logProgress(`one month finalized in ${finalizing.seconds} s, with ${finalizing.peakMb} MB`)
      await queueAllItems(marketContext.db)
      const valuing = await timeSeconds(() => recomputeDirty(marketContext))
      logProgress(`all sets valued in ${valuing.toFixed(0)} s`)
      const figures = {
        rows,
        sets,
        load_rows_per_second: Math.round(rows / loading),
        memory_growth_mb: growth,
        finalize_seconds: finalizing.seconds,
        finalize_peak_mb: finalizing.peakMb,
        value_all_seconds: Math.round(valuing),
      }
      return await work({ marketContext, figures })
    } finally {
      await pool.end()
    }
  })
}

async function seedSets({ pool }: MarketContext, sets: number): Promise<void> {
  await declareSource(pool, { source: 'bench', name: 'Benchmark', license: 'bench', terms: 'invented', rank: 1 })
  await pool.query(
    `insert into catalog.set (set_number, title, theme, msrp_cents, release_date, retire_date)
     select (100000 + n)::text || '-1', 'Set ' || n, 'Theme ' || n % 60, 999 + 100 * (n % 190), current_date - 1200 + n % 600,
            case when n % 3 > 0 then current_date - 600 + n % 560 end
       from generate_series(0, $1 - 1) n`,
    [sets],
  )
}

/** Ingests generated sales like any feed file: parsed, validated, staged and published. */
async function ingestSales(
  marketContext: MarketContext,
  rows: number,
  sets: number,
): Promise<{ seconds: number; growth: number }> {
  let least = Infinity
  let most = 0
  const seconds = await timeSeconds(() =>
    ingestFile(marketContext.pool, 'sales', Readable.from(salesFile(rows, sets)), {
      fileName: 'bench.csv',
      onProgress(seen) {
        // The first 10 % are a warm-up; from then on memory must stay flat.
        if (seen < rows / 10) return
        const rss = process.memoryUsage.rss() / 1e6
        least = Math.min(least, rss)
        most = Math.max(most, rss)
      },
    }),
  )
  await marketContext.pool.query('vacuum analyze source.sale_observation')
  await marketContext.pool.query('vacuum analyze source.trader')
  return { seconds, growth: Math.round(most - least) }
}

function* salesFile(rows: number, sets: number): Generator<Buffer> {
  yield Buffer.from(
    'source,license,event_id,set_number,minifig_number,condition,sold_on,known_on,price,currency,quantity,seller,buyer\n',
  )
  const today = Math.floor(Date.now() / 86_400_000)
  const days = Array.from({ length: DAYS }, (_, age) => new Date((today - age) * 86_400_000).toISOString().slice(0, 10))
  let state = 1
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296
  for (let first = 0; first < rows; first += 5000) {
    let text = ''
    for (let n = first; n < Math.min(rows, first + 5000); n++) {
      const set = n % sets
      const used = random() < 0.4
      const price = (12 + (set % 190)) * (used ? 0.6 : 1) * (0.85 + 0.3 * random())
      const day = days[Math.floor(random() * DAYS)]!
      const [seller, buyer] = [Math.floor(random() ** 2 * 20_000), Math.floor(random() * 400_000)]
      text += `bench,bench,e${n},${100_000 + set}-1,,${used ? 'used' : 'sealed'},${day},${day},${price.toFixed(2)},USD,1,s${seller},b${buyer}\n`
    }
    yield Buffer.from(text)
  }
}

/** Marks all months before the latest finalizable one as finalized, so that only one is left to do. */
async function skipEarlierMonths({ pool, now }: MarketContext): Promise<void> {
  const before = latestFinalizableMonth(now().toISOString().slice(0, 10)) - 1
  await pool.query('insert into market.finalized_month (month, set_months) values ($1, 0)', [
    `${formatMonth(before)}-01`,
  ])
}

/** Finalizes in a process of its own, whose peak memory is not that of loading. */
async function finalizeMonths(url: string): Promise<{ seconds: number; peakMb: number }> {
  const script = fileURLToPath(new URL('finalize-months.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, url])
  return JSON.parse(stdout) as { seconds: number; peakMb: number }
}

async function timeIncrementalValuation(marketContext: MarketContext, round: number): Promise<number> {
  await marketContext.pool.query(
    `insert into source.valuation_queue (item_kind, item_number)
     select 'set', set_number from catalog.set order by md5(set_number || $1) limit $2`,
    [String(round), DIRTY_ITEMS],
  )
  return timeSeconds(() => recomputeDirty(marketContext))
}

async function timeSeconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { MarketContext } from '../db/context.ts'
import { inTransaction } from '../db/transaction.ts'
import { type Connector, SourceError } from './connectors/retail-source.ts'
import { matchProducts, type ProductMatches } from './product-match.ts'
import { findSetsToSearch, hasPrices } from './retail-poll-queries.ts'
import { declareConnector } from './source-commands.ts'

const CALL_TIMEOUT_MS = 30_000
/** A set that wasn't found may be listed later. */
const SEARCH_AGAIN_DAYS = 30
/** The rest is searched for in the next run, so that polling gets its share of the tokens. */
const RUN_MS = 5 * 60_000
/** While there's no price at all, the first ones don't wait for the products of the whole catalog. */
const FIRST_RUN_MS = 30_000

const WITHDRAWN = 'the source was withdrawn'

export type SearchCounts = { sets: number; found: number; doubtful: number; stopped: string | null }

/**
 * Finds the products of sets at a retailer by barcode and title. What agrees becomes a product that is polled; what is
 * doubtful waits for an operator. Each call is stored before the next, and a failed call ends the run.
 */
export async function searchProducts(
  { pool, now }: MarketContext,
  connector: Connector,
  signal: AbortSignal,
): Promise<SearchCounts> {
  const { source, bucket } = connector
  const counts: SearchCounts = { sets: 0, found: 0, doubtful: 0, stopped: null }
  if (!(await declareConnector(pool, connector))) return { ...counts, stopped: WITHDRAWN }
  const searchedBefore = new Date(now().getTime() - SEARCH_AGAIN_DAYS * 86_400_000)
  const until = performance.now() + ((await hasPrices(pool, source.retailer)) ? RUN_MS : FIRST_RUN_MS)
  while (performance.now() < until && !signal.aborted) {
    const sets = await findSetsToSearch(pool, source.retailer, { searchedBefore, limit: source.codesPerCall })
    if (sets.length === 0) break
    for (let ms = bucket.waitMs(sets.length); ms > 0 && !signal.aborted; ms = bucket.waitMs(sets.length))
      await sleep(ms, undefined, { signal }).catch(() => undefined)
    if (signal.aborted || performance.now() > until) break
    bucket.spend(sets.length)
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)])
    const codes = sets.map(({ code }) => code)
    const result = await source.findProducts(codes, timeout).catch((error: unknown) => error as Error)
    // A retailer that doesn't know a barcode answers as to a bad request.
    const isUnknown = result instanceof SourceError && result.kind === 'bad_request' && sets.length === 1
    if (result instanceof Error && !isUnknown) {
      if (!(result instanceof SourceError)) throw result
      counts.stopped = result.message
      break
    }
    const { products, tokens } = result instanceof Error ? { products: [], tokens: null } : result
    if (tokens !== null) bucket.sync(tokens.left, tokens.perMinute)
    const searched = sets.map(({ code, ...set }) => ({ ...set, codes: [code] }))
    const stored = await saveMatches(pool, connector, searched, matchProducts(searched, products), now())
    counts.sets += sets.length
    counts.found += stored.found
    counts.doubtful += stored.doubtful
  }
  return counts
}

async function saveMatches(
  pool: pg.Pool,
  { source: { retailer, sourceId } }: Connector,
  sets: { set_number: string }[],
  { sure, doubtful }: ProductMatches,
  now: Date,
): Promise<{ found: number; doubtful: number }> {
  const toRows = (matches: ProductMatches['sure']) =>
    JSON.stringify(matches.map(({ set_number, product }) => ({ set_number, ...product })))
  const columns = 'm (set_number text, product_id text, title text, product_url text)'
  return inTransaction(pool, async (client) => {
    const { rowCount: found } = await client.query(
      `insert into source.retail_product (retailer, product_id, set_number, product_url, source_id)
       select $1, product_id, set_number, product_url, $2 from jsonb_to_recordset($3::jsonb) as ${columns}
       on conflict do nothing`,
      [retailer, sourceId, toRows(sure)],
    )
    // A product that already belongs to another set is doubtful, too.
    const { rowCount: undecided } = await client.query(
      `insert into source.product_match (retailer, set_number, product_id, title, product_url, source_id)
       select $1, set_number, product_id, title, product_url, $2 from jsonb_to_recordset($3::jsonb) as ${columns}
        where not exists (select from source.retail_product p where p.retailer = $1 and p.set_number = m.set_number)
       on conflict do nothing`,
      [retailer, sourceId, toRows([...sure, ...doubtful])],
    )
    await client.query(
      `insert into source.product_search (retailer, set_number, searched_at) select $1, unnest($2::text[]), $3
       on conflict (retailer, set_number) do update set searched_at = excluded.searched_at`,
      [retailer, sets.map(({ set_number }) => set_number), now],
    )
    return { found: found ?? 0, doubtful: undecided ?? 0 }
  })
}

/** Accepts a doubtful match: its product is polled from now on. The other matches of its set are rejected. */
export async function acceptMatch(
  pool: pg.Pool,
  retailer: string,
  setNumber: string,
  productId: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `insert into source.retail_product (retailer, product_id, set_number, product_url, source_id)
       select retailer, product_id, set_number, product_url, source_id from source.product_match
        where retailer = $1 and set_number = $2 and product_id = $3`,
      [retailer, setNumber, productId],
    )
    if (rowCount === 0) throw new Error(`No match of ${setNumber} with ${productId} at ${retailer} is waiting.`)
    await client.query('delete from source.product_match where retailer = $1 and set_number = $2 and product_id = $3', [
      retailer,
      setNumber,
      productId,
    ])
    await client.query(
      'update source.product_match set rejected_at = now() where retailer = $1 and set_number = $2 and rejected_at is null',
      [retailer, setNumber],
    )
  })
}

/** Rejects a doubtful match for good. */
export async function rejectMatch(
  pool: pg.Pool,
  retailer: string,
  setNumber: string,
  productId: string,
): Promise<void> {
  const { rowCount } = await pool.query(
    `update source.product_match set rejected_at = now()
      where retailer = $1 and set_number = $2 and product_id = $3 and rejected_at is null`,
    [retailer, setNumber, productId],
  )
  if (rowCount === 0) throw new Error(`No match of ${setNumber} with ${productId} at ${retailer} is waiting.`)
}

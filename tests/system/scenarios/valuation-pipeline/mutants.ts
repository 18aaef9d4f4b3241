import type { Mutant } from '../../harness/mutant.ts'

const GRANT = 'grant select, insert, update, delete on all tables in schema source to brickmark_worker;'

export const valuationPipelineMutants: Mutant[] = [
  {
    name: 'skips-dirty-marks',
    description: 'doesn’t mark products with new observations as dirty',
    edits: [
      {
        file: 'packages/core/src/source/feeds/retail-feed-commands.ts',
        find: 'select distinct retailer, product_id from staged where reason is null order by 1, 2',
        replace: 'select distinct retailer, product_id from staged where false order by 1, 2',
      },
    ],
  },
  {
    name: 'clears-dirty-first',
    description: 'clears dirty markers before the values are published instead of in one transaction',
    edits: [
      {
        file: 'packages/core/src/market/values/valuation-commands.ts',
        find: `claimQueuedItems(transaction, 'set', BATCH_SIZE)`,
        replace: `claimQueuedItems(db, 'set', BATCH_SIZE)
    await new Promise((resolve) => setTimeout(resolve, 400))`,
      },
    ],
  },
  {
    name: 'readable-source',
    description: 'the API role may read licensed rows',
    edits: [
      {
        file: 'packages/core/migrations/0005-source.sql',
        find: GRANT,
        replace: `${GRANT}\ngrant usage on schema source to brickmark_api;\ngrant select on all tables in schema source to brickmark_api;`,
      },
    ],
  },
  {
    name: 'logs-sales',
    description: 'the worker logs the sales it values',
    edits: [
      {
        file: 'packages/core/src/market/values/recompute-commands.ts',
        find: '    const products = await refreshRetail(marketContext)\n',
        replace: `    const products = await refreshRetail(marketContext)
    const { rows } = await marketContext.pool.query('select * from source.sale_observation order by known_on desc limit 1')
    marketContext.log.debug({ sale: rows[0] }, 'settling')\n`,
      },
    ],
  },
]

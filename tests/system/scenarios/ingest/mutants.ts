import type { Mutant } from '../../harness/mutant.ts'

export const ingestMutants: Mutant[] = [
  {
    name: 'two-transactions',
    description: 'commits a file’s rows before closing its import instead of in one transaction',
    edits: [
      {
        file: 'packages/core/src/source/ingest-commands.ts',
        find: '    await closeIngestLog(client,',
        replace: `    await client.query('commit')
    if (accepted > 1000) await client.query('select pg_sleep(2)')
    await closeIngestLog(client,`,
      },
    ],
  },
  {
    name: 'no-dedupe',
    description: 'doesn’t skip a sale whose event is already known',
    edits: [
      {
        file: 'packages/core/src/source/feeds/sales-feed-commands.ts',
        find: '      on conflict do nothing\n      returning event_key',
        replace: '      returning event_key',
      },
    ],
  },
  {
    name: 'dedupes-by-time',
    description: 'treats a repeated retail observation with another timestamp as new',
    edits: [
      {
        file: 'packages/core/src/source/feeds/retail-feed-commands.ts',
        find: 'where not exists (select from source.retail_observation o where o.source_id = first.source_id and o.event_id = first.event_id)',
        replace: 'where true',
      },
    ],
  },
  {
    name: 'lost-rows',
    description: 'doesn’t quarantine rows that are rejected only while publishing',
    edits: [
      {
        file: 'packages/core/src/source/ingest-log-commands.ts',
        find: 'from staged where reason is not null order by',
        replace: 'from staged where reason is not null and raw is not null order by',
      },
    ],
  },
  {
    name: 'lost-reason',
    description: 'quarantines rows without a reason',
    edits: [
      {
        file: 'packages/core/src/source/ingest-log-commands.ts',
        find: 'select $1, $2, row_number, reason, raw,',
        replace: `select $1, $2, row_number, '', raw,`,
      },
    ],
  },
  {
    name: 'no-price-limit',
    description: 'accepts prices of any size, so that only the table rejects them',
    edits: [
      {
        file: 'packages/core/src/source/feeds/feed-money.ts',
        find: 'const MAX_CENTS = 100_000_000n',
        replace: 'const MAX_CENTS = 10n ** 30n',
      },
    ],
  },
]

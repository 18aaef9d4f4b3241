import { createReadStream } from 'node:fs'
import { openPool } from '@brickmark/core/db/database'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { loadIngest } from './load-ingest.ts'

/** Usage: node ingest-child.ts ROOT DATABASE_URL FEED=FILE … Ingests files until it is done or killed. */
const [root, url, ...files] = process.argv.slice(2)
const { ingestFile } = await loadIngest(root!)
const pool = openPool(url!, { size: 1, statementTimeoutMs: 60_000 })
const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
process.stdout.write(`${rows[0]!.pid}\n`)
for (const file of files) {
  const [feed, path] = file.split('=') as [FeedName, string]
  await ingestFile(pool, feed, createReadStream(path), { fileName: path })
}
await pool.end()

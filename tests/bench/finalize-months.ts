import { pino } from 'pino'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { finalizeDueMonths } from '@brickmark/core/market/values/month-finalization-commands'

/** Finalizes the due months of the database at the URL given and prints the seconds and the peak memory it took. */
const pool = openPool(process.argv[2]!, { size: 4, statementTimeoutMs: 7_200_000 })
const started = performance.now()
await finalizeDueMonths({ pool, db: openDatabase(pool), log: pino({ level: 'silent' }), now: () => new Date() })
const seconds = Math.round((performance.now() - started) / 1000)
process.stdout.write(JSON.stringify({ seconds, peakMb: Math.round(process.resourceUsage().maxRSS / 1000) }))
await pool.end()

import { openDatabase, openPool } from '@brickmark/core/db/database'
import { writeDueExports } from '@brickmark/core/export/export-commands'

/** Writes the exports once, as the job of the worker does. */
const db = openDatabase(openPool(process.env['DATABASE_URL']!, { size: 4, statementTimeoutMs: 300_000 }))
const { rows } = await writeDueExports({ db, now: () => new Date() })
await db.destroy()
if (rows === 0) throw new Error('nothing was due')

import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from './database.ts'

/** What the market engine works with; the worker and the operator's commands pass in the same. */
export type MarketContext = { pool: pg.Pool; db: Database; log: Logger; now: () => Date }

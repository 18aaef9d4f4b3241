import type pg from 'pg'
import type { Logger } from 'pino'
import type { Database } from './database.ts'

/** Dependencies of the market commands, shared by the worker and the ops CLI. */
export type MarketContext = { pool: pg.Pool; db: Database; log: Logger; now: () => Date }

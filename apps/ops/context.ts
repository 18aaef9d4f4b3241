import type pg from 'pg'
import { pino } from 'pino'
import type { MarketContext } from '@brickmark/core/db/context'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'

/** The URL of DATABASE_URL, or an error that says how to set it. */
export function databaseUrl(): string {
  const url = process.env['DATABASE_URL']
  if (url === undefined) throw new Error('Set DATABASE_URL to the database URL, e.g. postgres://owner@host/brickmark.')
  return url
}

export async function withDatabase(callback: (db: Database) => Promise<void>): Promise<void> {
  const db = openDatabase(openPool(databaseUrl(), { size: 2, statementTimeoutMs: 60_000 }))
  try {
    await callback(db)
  } finally {
    await db.destroy()
  }
}

export function withPool(callback: (pool: pg.Pool) => Promise<void>): Promise<void> {
  return withMarket(({ pool }) => callback(pool))
}

export async function withMarket(callback: (context: MarketContext) => Promise<void>): Promise<void> {
  const pool = openPool(databaseUrl(), { size: 4, statementTimeoutMs: 3_600_000 })
  try {
    await callback({ pool, db: openDatabase(pool), log: pino({ level: 'warn' }), now: () => new Date() })
  } finally {
    await pool.end()
  }
}

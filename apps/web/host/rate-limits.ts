import { createHmac } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { WebConfig } from './config.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type RateLimits = ReturnType<typeof createRateLimits>

/**
 * Limits shared by all web processes through the database. Limits of sign-ins per client address are better-auth's.
 */
export function createRateLimits(
  pool: pg.Pool,
  {
    secret,
    visitorPagesPerDay,
    memberPagesPerDay,
  }: Pick<WebConfig, 'secret' | 'visitorPagesPerDay' | 'memberPagesPerDay'>,
) {
  const limit = (name: string, points: number, duration: number) =>
    new RateLimit(pool, secret, { name, points, duration })
  return {
    /** In points: an upload costs 10, another look at its plan costs 1. */
    imports: limit('import', 600, HOUR),
    /** Failed sign-ins for one email address from browsers that haven't signed in to it before. */
    signIns: limit('sign-in', 10, 15 * MINUTE),
    signInsPerDay: limit('sign-in-day', 40, DAY),
    /** The same for a browser that has, so that nobody else can use up its attempts. */
    signInsOfDevice: limit('device', 20, 15 * MINUTE),
    /** Emails to one address that anyone can request: verifications and password resets. */
    emails: limit('email', 5, HOUR),
    /** Suggestions while a visitor types, by client address. */
    visitorSearches: limit('visitor-search', 60, MINUTE),
    /** Catalog pages for visitors, by client address: nobody copies the catalog page by page. */
    visitorPages: limit('visitor', visitorPagesPerDay, DAY),
    /** The same for accounts that are signed in. The API is for those who need more than a person reads. */
    memberPages: limit('member', memberPagesPerDay, DAY),
    memberPagesPerMinute: limit('member-minute', 120, MINUTE),
    memberSearches: limit('member-search', 300, MINUTE),
    /** Pages of shared collections for visitors, by client address, besides `visitorPages`: each may have 50 values. */
    visitorShelves: limit('visitor-shelf', 100, DAY),
    /** Badges on pages elsewhere, by client address: a page may have many, and readers come back. */
    badges: limit('badge', 1000, DAY),
    /** Test events of webhooks, by account. */
    webhookTests: limit('webhook-test', 20, HOUR),
  }
}

/** A number of points within a time, counted for each key from its first use. */
class RateLimit {
  readonly #limiter: RateLimiterPostgres
  readonly #secret: string

  constructor(
    pool: pg.Pool,
    secret: string,
    { name, points, duration }: { name: string; points: number; duration: number },
  ) {
    this.#secret = secret
    this.#limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      schemaName: 'auth',
      tableName: 'attempt',
      tableCreated: true,
      // startSessionCleanup deletes expired rows.
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration,
    })
  }

  /** Takes points; returns 0, or the seconds to wait if there are none left. */
  async take(key: string | number, points = 1): Promise<number> {
    try {
      await this.#limiter.consume(this.#hash(key), points)
      return 0
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      return Math.max(1, Math.ceil(error.msBeforeNext / 1000))
    }
  }

  /** Returns points, for an attempt that succeeded. */
  async refund(key: string | number, points = 1): Promise<void> {
    await this.#limiter.reward(this.#hash(key), points)
  }

  /** Keys may be email addresses, which are not stored in clear. */
  #hash(key: string | number): string {
    return createHmac('sha256', this.#secret).update(String(key).toLowerCase()).digest('base64url')
  }
}

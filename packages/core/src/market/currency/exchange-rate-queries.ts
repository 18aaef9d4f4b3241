import type { Database } from '../../db/database.ts'
import { formatDay } from '../../primitives/calendar.ts'
import type { ExchangeRate } from './exchange-rate.ts'

/** A rate isn't used any more when it is older. Over Easter and New Year's, none is published for five days. */
const MAX_AGE_DAYS = 7

/** Returns the rate of a currency; undefined if none is known that is recent enough. */
export async function findExchangeRate(
  db: Database,
  currency: string,
  today: number,
): Promise<ExchangeRate | undefined> {
  return await recentRates(db, today).where('currency', '=', currency).executeTakeFirst()
}

/** Returns the codes of all currencies with a recent rate. */
export async function findCurrencies(db: Database, today: number): Promise<string[]> {
  const rates = await recentRates(db, today).orderBy('currency').execute()
  return rates.map(({ currency }) => currency)
}

function recentRates(db: Database, today: number) {
  return db
    .selectFrom('market.exchange_rate')
    .select(['currency', 'per_usd as perUsd', 'day'])
    .where('day', '>=', formatDay(today - MAX_AGE_DAYS))
}

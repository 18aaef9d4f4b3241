import type { RouterContextProvider } from 'react-router'
import type { ExchangeRate } from '@brickmark/core/market/currency/exchange-rate'
import { findExchangeRate } from '@brickmark/core/market/currency/exchange-rate-queries'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { getServices } from '../request/context.server.ts'

/** Returns the rate of the currency chosen in this browser; null if none is chosen, or no recent rate of it is known. */
export async function loadExchangeRate(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<ExchangeRate | null> {
  const [, currency] = /(?:^|;\s*)currency=([A-Z]{3})(?:;|$)/.exec(request.headers.get('cookie') ?? '') ?? []
  if (currency === undefined) return null
  // Pages that don't need the database must work without it.
  const found = await findExchangeRate(getServices(context).db, currency, utcDayOf(new Date())).catch(() => undefined)
  return found ?? null
}

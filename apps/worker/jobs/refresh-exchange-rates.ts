import { refreshExchangeRates } from '@brickmark/core/market/currency/exchange-rate-commands'
import type { Job } from './job.ts'

/** Reads the exchange rates when the worker starts, and every four hours: they are published once a day, at no fixed time. */
export function refreshExchangeRatesJob(url: string, signal: AbortSignal): Job {
  return {
    name: 'refresh-exchange-rates',
    cron: '35 */4 * * *',
    runsAtStart: true,
    run: ({ db }) => refreshExchangeRates(db, url, signal),
  }
}

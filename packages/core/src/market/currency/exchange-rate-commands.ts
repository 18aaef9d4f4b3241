import { readFile } from 'node:fs/promises'
import type { Database } from '../../db/database.ts'
import { parseEcbRates } from './ecb-rates.ts'
import type { ExchangeRate } from './exchange-rate.ts'

const TIMEOUT_MS = 30_000

/** Reads the reference rates of an address (https, http or file), and saves those that are newer than what is stored. */
export async function refreshExchangeRates(
  db: Database,
  url: string,
  signal?: AbortSignal,
): Promise<{ day: string; saved: number }> {
  const rates = parseEcbRates(await readText(new URL(url), signal))
  return { day: rates[0]!.day, saved: await saveExchangeRates(db, rates) }
}

async function readText(url: URL, signal?: AbortSignal): Promise<string> {
  if (url.protocol === 'file:') return readFile(url, 'utf8')
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) })
  if (!response.ok) throw new Error(`Downloading the exchange rates failed: HTTP ${response.status}.`)
  return response.text()
}

async function saveExchangeRates(db: Database, rates: ExchangeRate[]): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('market.exchange_rate')
    .values(rates.map(({ currency, perUsd, day }) => ({ currency, per_usd: perUsd, day })))
    .onConflict((conflict) =>
      conflict
        .column('currency')
        .doUpdateSet((eb) => ({ per_usd: eb.ref('excluded.per_usd'), day: eb.ref('excluded.day') }))
        .whereRef('market.exchange_rate.day', '<', 'excluded.day'),
    )
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}

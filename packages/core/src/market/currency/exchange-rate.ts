import { signOf } from '../../primitives/format-money.ts'

/** What a US dollar is worth in another currency, by the reference rate of a day ('YYYY-MM-DD'). */
export type ExchangeRate = { currency: string; perUsd: number; day: string }

/** Formats US cents in another currency, rounded to its smallest unit, e.g. €53.94. */
export function formatConverted(cents: number, { currency, perUsd }: ExchangeRate): string {
  const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(
    (Math.abs(cents) / 100) * perUsd,
  )
  return `${cents < 0 ? signOf(cents) : ''}${amount}`
}

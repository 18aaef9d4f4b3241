import { valueBasis } from '../market/values/value-basis.ts'
import { formatPercent, formatUsd, signOf } from '../primitives/format-money.ts'
import { THRESHOLD_UNITS, type AlertFacts, type RuleKind } from './rule.ts'

const usd = (cents: number | undefined) => (cents === undefined ? 'an unknown price' : formatUsd(cents))
/** Percentages are in hundredths. */
const percent = (hundredths: number) => formatPercent(hundredths / 10_000)

/** Rules look at values of this tier only. */
const BASIS = valueBasis('market')

/** What a rule waits for; `…` stands for its threshold. */
export const RULE_LABELS: Record<RuleKind, string> = {
  price_at_most: 'Price at or below …',
  below_value: 'Price at least … below value',
  return_at_least: 'Return of at least …',
  new_low: 'New lowest price',
  sold_out: 'Sold out at a retailer',
  back_in_stock: 'Back in stock at a retailer',
  third_party: 'A retailer stops selling it itself',
  value_moved: 'Value moves by … within 30 days',
  retiring_soon: 'Retiring soon',
  retired: 'Retired',
}

export function describeRule({ kind, threshold }: { kind: RuleKind; threshold: number | null }): string {
  if (threshold === null) return RULE_LABELS[kind]
  return RULE_LABELS[kind].replace('…', THRESHOLD_UNITS[kind] === 'cents' ? usd(threshold) : percent(threshold))
}

type Reason = (facts: AlertFacts, where: string) => string

const REASONS: Record<RuleKind, Reason> = {
  price_at_most: ({ price, threshold }, where) => `${usd(price)} ≤ your ${usd(threshold)}${where}`,
  below_value: ({ price, value, percent: share = 0 }, where) =>
    `${usd(price)}${where}, ${percent(share)} below its value of ${usd(value)} ${BASIS}`,
  return_at_least: ({ price, value, percent: share = 0 }, where) =>
    `${usd(price)}${where}, a return of ${percent(share)} at its value of ${usd(value)} ${BASIS}, after your selling costs`,
  new_low: ({ price, before }, where) =>
    `${usd(price)}${where}, the lowest price so far. Before, it was ${usd(before)}.`,
  sold_out: (_, where) => `Sold out${where}`,
  back_in_stock: ({ price }, where) => `Back in stock${where} for ${usd(price)}`,
  third_party: ({ price }, where) => `Only other sellers offer it${where}, for ${usd(price)}`,
  value_moved: ({ value, before, percent: share = 0 }) =>
    `${signOf(share)}${percent(Math.abs(share))} in 30 days, from ${usd(before)} to ${usd(value)}, ${BASIS}`,
  retiring_soon: () => 'Its retirement was announced',
  retired: () => 'It has retired',
}

/** Says why there is an alert: what was compared with what, and where. */
export function describeAlert({
  kind,
  retailer,
  facts,
}: {
  kind: RuleKind
  retailer: string | null
  facts: AlertFacts
}): string {
  return REASONS[kind](facts, retailer === null ? '' : ` at ${retailer}`)
}

/** Integer cents of a SQL numeric given as text ('12.34' → 1234). */
export function cents(text: string): number {
  return Math.round(Number(text) * 100)
}

/** Like `cents`, for a column that may be null: unknown stays unknown, it never becomes 0. */
export function centsOrNull(text: string | null): number | null {
  return text === null ? null : cents(text)
}

/** A SQL numeric that is no money, such as a measure. */
export function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text)
}

/** US dollars as the JSON number the contract shows (1234 → 12.34). */
export function usd(amount: number): number {
  return amount / 100
}

/** Like `usd`, for an amount that may be unknown. */
export function usdOrNull(amount: number | null): number | null {
  return amount === null ? null : amount / 100
}

/** US dollars as text for SQL (1234 → '12.34'). */
export function formatUsd(amount: number): string {
  return (amount / 100).toFixed(2)
}

/** `part` as a percentage of `whole` with two decimals, or null when `whole` is 0 and there is no percentage. */
export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10000) / 100
}

/** Parts of an amount in the proportion of the weights, or equal parts when those are all 0; they add up to it exactly. */
export function splitProportionally(amount: number, weights: number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = whole === 0 ? weights.map(() => 1 / weights.length) : weights.map((weight) => weight / whole)
  let share = 0
  let allocated = 0
  return shares.map((one, index) => {
    share += one
    const part = (index === shares.length - 1 ? amount : Math.round(amount * share)) - allocated
    allocated += part
    return part
  })
}

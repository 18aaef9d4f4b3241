import { Brickmark } from 'brickmark'

/** Prints what you own by theme, the most valuable theme first. */

const brickmark = new Brickmark()
const themes = new Map()

for await (const lot of brickmark.listEntries()) {
  const sum = themes.get(lot.theme) ?? { theme: lot.theme, units: 0, cost: 0, value: 0 }
  themes.set(lot.theme, sum)
  sum.units += lot.quantity
  // A lot counts only if both are known: otherwise the gain would be wrong.
  if (lot.purchase_price_usd === undefined || lot.total_current_value_usd === null) continue
  sum.cost += lot.quantity * lot.purchase_price_usd
  sum.value += lot.total_current_value_usd
}

const dollars = (amount) => amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const rows = [...themes.values()].sort((a, b) => b.value - a.value)
for (const { theme, units, cost, value } of rows)
  console.log(`${theme}: ${units} units, cost ${dollars(cost)}, value ${dollars(value)}, gain ${dollars(value - cost)}`)

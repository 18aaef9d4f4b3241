/** What a plan of tokens keeps fresh. */
export type PollPlan = {
  /** How long it takes to check every product once. */
  roundHours: number
  /** How many products can be checked within each of `FRESH_HOURS`. */
  fresh: { hours: number; products: number }[]
}

const FRESH_HOURS = [1, 4, 24]

export function planPolling({
  products,
  tokensPerProduct,
  tokensPerMinute,
}: {
  products: number
  tokensPerProduct: number
  tokensPerMinute: number
}): PollPlan {
  const perHour = (tokensPerMinute * 60) / tokensPerProduct
  return {
    roundHours: products / perHour,
    fresh: FRESH_HOURS.map((hours) => ({ hours, products: Math.min(products, Math.floor(perHour * hours)) })),
  }
}

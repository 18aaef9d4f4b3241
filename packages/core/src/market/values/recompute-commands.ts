import type { MarketContext } from '../../db/context.ts'
import { refreshRetail } from '../retail/retail-refresh-commands.ts'
import { valueDirtyMinifigs, valueDirtySets } from './valuation-commands.ts'

/**
 * Recomputes until nothing is dirty and returns the number of products, sets and minifigs. Retail states come first,
 * because they have the tightest freshness target (seconds).
 */
export async function recomputeDirty(
  marketContext: MarketContext,
): Promise<{ products: number; sets: number; minifigs: number }> {
  const done = { products: 0, sets: 0, minifigs: 0 }
  for (;;) {
    const products = await refreshRetail(marketContext)
    const sets = await valueDirtySets(marketContext)
    const minifigs = await valueDirtyMinifigs(marketContext)
    done.products += products
    done.sets += sets
    done.minifigs += minifigs
    if (products + sets + minifigs === 0) return done
  }
}

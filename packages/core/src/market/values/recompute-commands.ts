import type { MarketContext } from '../../db/context.ts'
import { refreshRetail } from '../retail/retail-refresh-commands.ts'
import { valueDirtyMinifigs, valueDirtySets } from './valuation-commands.ts'

/**
 * Recomputes until nothing is dirty and returns the number of products, sets and minifigs. Retail states come first,
 * because they have the tightest freshness target (seconds). Calls `onRound` whenever all three
 * have had a batch: work on one kind doesn't hide that another one fails.
 */
export async function recomputeDirty(
  marketContext: MarketContext,
  onRound: () => void = () => {},
): Promise<{ products: number; sets: number; minifigs: number }> {
  const done = { products: 0, sets: 0, minifigs: 0 }
  for (;;) {
    const products = await refreshRetail(marketContext)
    const sets = await valueDirtySets(marketContext)
    const minifigs = await valueDirtyMinifigs(marketContext)
    onRound()
    done.products += products
    done.sets += sets
    done.minifigs += minifigs
    if (products + sets + minifigs === 0) return done
  }
}

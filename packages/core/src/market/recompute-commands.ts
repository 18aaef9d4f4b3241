import type { MarketContext } from '../db/context.ts'
import { refreshRetail } from './retail-refresh-commands.ts'
import { valueDirtyMinifigs, valueDirtySets } from './valuation-commands.ts'

/** Works until nothing is dirty: retail states first, because they are awaited within seconds. Returns how many of each. */
export async function recomputeDirty(
  engine: MarketContext,
): Promise<{ products: number; sets: number; minifigs: number }> {
  const done = { products: 0, sets: 0, minifigs: 0 }
  for (;;) {
    const products = await refreshRetail(engine)
    const sets = await valueDirtySets(engine)
    const minifigs = await valueDirtyMinifigs(engine)
    done.products += products
    done.sets += sets
    done.minifigs += minifigs
    if (products + sets + minifigs === 0) return done
  }
}

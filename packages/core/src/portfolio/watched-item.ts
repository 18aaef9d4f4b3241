import { parsePrice } from './lot.ts'

export type WatchedKind = 'set' | 'minifig'

/** How a price compares with a target, both in cents. */
export type TargetState = 'met' | 'close' | 'waiting' | 'unavailable' | 'none'

/** Within this share above its target, a price is close to it. */
const CLOSE = 0.1

export function targetState(price: number | null, target: number | null): TargetState {
  if (price === null) return 'unavailable'
  if (target === null) return 'none'
  if (price <= target) return 'met'
  return price <= target * (1 + CLOSE) ? 'close' : 'waiting'
}

/** Parses the target of a form: null if blank, undefined if it isn't a price above 0. */
export function parseTarget(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const target = parsePrice(text.replace(/^\s*\$/, ''))
  return target === 0 ? undefined : target
}

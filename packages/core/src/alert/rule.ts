import type { Condition } from '../catalog/condition.ts'
import { evaluateDeal, netProceeds, type SellingCosts } from '../portfolio/buy-price.ts'
import type { Change, PublishedValue, RetailOffer } from './change.ts'

export const RULE_KINDS = [
  'price_at_most',
  'below_value',
  'return_at_least',
  'new_low',
  'sold_out',
  'back_in_stock',
  'third_party',
  'value_moved',
  'retiring_soon',
  'retired',
] as const

export type RuleKind = (typeof RULE_KINDS)[number]

/** The unit of a rule's threshold: cents, or hundredths of a percent. Other kinds have none. */
export const THRESHOLD_UNITS: Partial<Record<RuleKind, 'cents' | 'percent'>> = {
  price_at_most: 'cents',
  below_value: 'percent',
  return_at_least: 'percent',
  value_moved: 'percent',
}

/** Minifigs are neither sold by retailers nor retired. */
export const MINIFIG_RULE_KINDS: readonly RuleKind[] = ['price_at_most', 'value_moved']

/** What a rule compared. Money in cents, percentages in hundredths. */
export type AlertFacts = { threshold?: number; price?: number; value?: number; before?: number; percent?: number }

/** The amounts of an alert as they leave the service: in dollars and percent, null if unknown or if they aren't part of it. */
export function alertAmounts(kind: RuleKind, { threshold, price, value, before, percent }: AlertFacts) {
  return {
    price_usd: hundredths(price),
    value_usd: hundredths(value),
    previous_usd: hundredths(before),
    threshold_usd: THRESHOLD_UNITS[kind] === 'cents' ? hundredths(threshold) : null,
    threshold_pct: THRESHOLD_UNITS[kind] === 'percent' ? hundredths(threshold) : null,
    actual_pct: hundredths(percent),
  }
}

function hundredths(value: number | undefined): number | null {
  return value === undefined ? null : value / 100
}

/** A price at a retailer and the value of a sealed copy, in cents; null if unknown. */
type Deal = { price: number | null; value: number | null }

/**
 * How a change affects a rule at one retailer, or at none ('') if it is about a value or a status. A rule that has alerted
 * doesn't again before it `isRearmed`.
 */
export type Signal = { retailer: string; wasMet: boolean; isMet: boolean; isRearmed: boolean; facts: AlertFacts }

/**
 * A price must rise this much above its threshold, and a discount or a move must shrink by this share, before the rule can
 * alert again. A price that flickers around a threshold would otherwise alert every time.
 */
const HYSTERESIS = 0.02
const PERCENT_HYSTERESIS = 0.2

/**
 * Returns how a change affects a rule. A rule alerts when it wasn't met before the change and is after it. `monthAgo` is the
 * value of the item 30 days ago, in cents, for rules about moves; `costs` are those of the account, for rules about returns.
 */
export function signalsOf(
  { kind, threshold }: { kind: RuleKind; threshold: number | null },
  change: Change,
  { monthAgo, costs }: { monthAgo: number | null; costs: SellingCosts },
): Signal[] {
  if (kind === 'price_at_most') return priceSignals(threshold!, change)
  if (kind === 'below_value') return dealSignals(threshold!, change, discountOf)
  if (kind === 'return_at_least')
    return dealSignals(threshold!, change, (price, value) => returnOf(price, netProceeds(value, costs)))
  if (kind === 'value_moved') return moveSignals(threshold!, change, monthAgo)
  if (kind === 'retiring_soon' || kind === 'retired')
    return change.kind === 'status' ? [event('', change.before === kind, change.after === kind, {})] : []
  return change.kind === 'retail' ? [offerEvent(kind, change)] : []
}

function priceSignals(threshold: number, change: Change): Signal[] {
  const compare = (retailer: string, before: number | null, after: number | null): Signal => ({
    retailer,
    wasMet: isAtMost(before, threshold),
    isMet: isAtMost(after, threshold),
    isRearmed: after !== null && after > threshold * (1 + HYSTERESIS),
    facts: { threshold, ...(after !== null && { price: after }), ...(before !== null && { before }) },
  })
  if (change.kind === 'retail')
    return [compare(change.retailer, priceInStock(change.before), priceInStock(change.after))]
  return change.kind === 'value' && change.itemKind === 'minifig'
    ? [compare('', marketValue(change.before), marketValue(change.after))]
    : []
}

/** Compares retail prices with the value of a sealed copy: `gainOf` says how good a deal is, in hundredths of a percent. */
function dealSignals(
  threshold: number,
  change: Change,
  gainOf: (price: number, value: number) => number | null,
): Signal[] {
  const compare = (retailer: string, dealBefore: Deal, dealAfter: Deal): Signal => {
    const gain = dealAfter.price === null || dealAfter.value === null ? null : gainOf(dealAfter.price, dealAfter.value)
    const gainBefore =
      dealBefore.price === null || dealBefore.value === null ? null : gainOf(dealBefore.price, dealBefore.value)
    return {
      retailer,
      wasMet: isAtLeast(gainBefore, threshold),
      isMet: isAtLeast(gain, threshold),
      isRearmed: gain !== null && gain < threshold * (1 - PERCENT_HYSTERESIS),
      facts: {
        threshold,
        ...(dealAfter.price !== null && { price: dealAfter.price }),
        ...(dealAfter.value !== null && { value: dealAfter.value }),
        ...(gain !== null && { percent: gain }),
      },
    }
  }
  if (change.kind === 'retail') {
    const value = marketValue(change.sealedValue)
    return [
      compare(
        change.retailer,
        { price: priceInStock(change.before), value },
        { price: priceInStock(change.after), value },
      ),
    ]
  }
  if (change.kind !== 'value' || change.itemKind === 'minifig' || change.condition !== 'sealed') return []
  const [before, after] = [marketValue(change.before), marketValue(change.after)]
  return Array.from(change.offers, ([retailer, price]) =>
    compare(retailer, { price, value: before }, { price, value: after }),
  )
}

/** The condition whose value a rule about moves looks at. */
const MOVE_CONDITION: Record<Change['itemKind'], Condition> = { set: 'sealed', minifig: 'used' }

function moveSignals(threshold: number, change: Change, monthAgo: number | null): Signal[] {
  if (change.kind !== 'value' || change.condition !== MOVE_CONDITION[change.itemKind] || monthAgo === null) return []
  const after = marketValue(change.after)
  const moveOf = (value: number | null) => (value === null ? null : Math.round((value / monthAgo - 1) * 10_000))
  const [moveBefore, move] = [moveOf(marketValue(change.before)), moveOf(after)]
  const size = move === null ? null : Math.abs(move)
  return [
    {
      retailer: '',
      wasMet: isAtLeast(moveBefore === null ? null : Math.abs(moveBefore), threshold),
      isMet: isAtLeast(size, threshold),
      isRearmed: size !== null && size < threshold * (1 - PERCENT_HYSTERESIS),
      facts: {
        threshold,
        before: monthAgo,
        ...(after !== null && { value: after }),
        ...(move !== null && { percent: move }),
      },
    },
  ]
}

type OfferRuleKind = 'new_low' | 'sold_out' | 'back_in_stock' | 'third_party'

function offerEvent(kind: OfferRuleKind, { retailer, before, after }: Change & { kind: 'retail' }): Signal {
  const price = priceInStock(after)
  const facts = price === null ? {} : { price }
  // There is nothing to compare the first observation of a product with.
  if (before === null) return event(retailer, true, false, facts)
  if (kind === 'new_low') {
    const isNewLow = price !== null && before.lowest !== null && price < before.lowest
    return event(retailer, false, isNewLow, { ...facts, ...(before.lowest !== null && { before: before.lowest }) })
  }
  if (kind === 'sold_out') return event(retailer, before.inStock !== true, after.inStock === false, {})
  if (kind === 'back_in_stock') return event(retailer, before.inStock !== false, after.inStock === true, facts)
  return event(retailer, before.sellerType !== 'retailer', after.sellerType === 'third_party', facts)
}

/** A signal of something that happens at once and can't flicker around a threshold. */
function event(retailer: string, wasMet: boolean, isMet: boolean, facts: AlertFacts): Signal {
  return { retailer, wasMet, isMet, isRearmed: true, facts }
}

function priceInStock(offer: RetailOffer | null): number | null {
  return offer?.inStock === true ? offer.price : null
}

/** Returns a value of tier `market`, else null: other values are too uncertain to alert on. */
function marketValue(published: PublishedValue | null): number | null {
  return published?.tier === 'market' ? published.value : null
}

/** Returns how far a price is below a value, in hundredths of a percent. */
function discountOf(price: number, value: number): number {
  return Math.floor(((value - price) * 10_000) / value)
}

/** Returns the return on a price, in hundredths of a percent. */
function returnOf(price: number, net: number): number | null {
  const { roiPct } = evaluateDeal(price, net)
  return roiPct === null ? null : Math.round(roiPct * 100)
}

function isAtMost(price: number | null, threshold: number): boolean {
  return price !== null && price <= threshold
}

function isAtLeast(share: number | null, threshold: number): boolean {
  return share !== null && share >= threshold
}

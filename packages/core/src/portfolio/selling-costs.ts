import type { SellingCosts } from './buy-price.ts'

/** What selling costs an account: a percentage fee, a fixed fee, and shipping by the weight of the box. In basis points and cents. */
export type AccountSellingCosts = { feeBasisPoints: number; fixedFee: number; shippingByWeight: readonly number[] }

/** The upper bounds of the shipping classes, in kg. Heavier boxes are in the last class. */
export const SHIPPING_BOUNDS_KG: readonly number[] = [0.5, 1, 2]

/** What parcels cost on average until an account says otherwise. */
export const DEFAULT_SHIPPING: readonly number[] = [520, 840, 1190, 1680]

const KG_PER_LB = 0.45359237

export function toKilograms(pounds: number): number {
  return pounds * KG_PER_LB
}

/** Returns the shipping class of a box. An unknown weight counts as heavy, because shipping that is too cheap overstates the profit. */
export function shippingClass(weightLbs: number | null): number {
  if (weightLbs === null) return SHIPPING_BOUNDS_KG.length
  const kg = toKilograms(weightLbs)
  const index = SHIPPING_BOUNDS_KG.findIndex((bound) => kg <= bound)
  return index === -1 ? SHIPPING_BOUNDS_KG.length : index
}

/** What selling one copy of an item costs. */
export function costsOfItem(costs: AccountSellingCosts, weightLbs: number | null): SellingCosts {
  const { feeBasisPoints, fixedFee, shippingByWeight } = costs
  return { feeBasisPoints, fixedFee, shipping: shippingByWeight[shippingClass(weightLbs)]! }
}

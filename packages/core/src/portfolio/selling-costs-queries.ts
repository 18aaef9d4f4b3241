import type { Database } from '../db/database.ts'
import { findSellingFees } from '../market/fees/fee-schedule-queries.ts'
import { feesInForce } from '../market/fees/selling-fees.ts'
import { DEFAULT_SHIPPING, type AccountSellingCosts } from './selling-costs.ts'

/** Returns what selling costs the account: its own figures, or else the default ones on a day ('YYYY-MM-DD'). */
export async function findSellingCosts(db: Database, accountId: number, day: string): Promise<AccountSellingCosts> {
  const own = await db
    .selectFrom('portfolio.selling_costs')
    .select(['fee_basis_points as feeBasisPoints', 'fixed_fee_cents as fixedFee', 'shipping_cents as shippingByWeight'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return own ?? findDefaultSellingCosts(db, day)
}

/** Returns eBay's fees in force on a day, and the usual shipping. */
export async function findDefaultSellingCosts(db: Database, day: string): Promise<AccountSellingCosts> {
  const fees = feesInForce(await findSellingFees(db), 'ebay', day)
  return {
    feeBasisPoints: fees?.shares.at(-1)?.basisPoints ?? 0,
    fixedFee: fees?.fixed.at(-1)?.cents ?? 0,
    shippingByWeight: DEFAULT_SHIPPING,
  }
}

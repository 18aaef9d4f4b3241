import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { AccountSellingCosts } from './selling-costs.ts'

/** Saves what selling costs the account, for deals, the buy calculator and alerts about returns. */
export async function saveSellingCosts(
  db: Database,
  accountId: number,
  { feeBasisPoints, fixedFee, shippingByWeight }: AccountSellingCosts,
): Promise<void> {
  await sql`
    insert into portfolio.selling_costs (account_id, fee_basis_points, fixed_fee_cents, shipping_cents)
    values (${accountId}, ${feeBasisPoints}, ${fixedFee}, ${shippingByWeight}::integer[])
    on conflict (account_id) do update set fee_basis_points = excluded.fee_basis_points,
      fixed_fee_cents = excluded.fixed_fee_cents, shipping_cents = excluded.shipping_cents`.execute(db)
}

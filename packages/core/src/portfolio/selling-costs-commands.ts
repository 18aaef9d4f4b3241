import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { SellingCosts } from './buy-price.ts'

/** Saves what selling costs the account, for the buy calculator and for alerts about returns. */
export async function saveSellingCosts(
  db: Database,
  accountId: number,
  { feeBasisPoints, fixedFee, shipping }: SellingCosts,
): Promise<void> {
  await sql`
    insert into portfolio.selling_costs (account_id, fee_basis_points, fixed_fee_cents, shipping_cents)
    values (${accountId}, ${feeBasisPoints}, ${fixedFee}, ${shipping})
    on conflict (account_id) do update set fee_basis_points = excluded.fee_basis_points,
      fixed_fee_cents = excluded.fixed_fee_cents, shipping_cents = excluded.shipping_cents`.execute(db)
}

import { redirect } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { parsePrice } from '@brickmark/core/portfolio/lot'
import { saveSellingCosts } from '@brickmark/core/portfolio/selling-costs-commands'
import { getServices, requireUser } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { safeRedirectPath } from '../server/session.ts'
import type { Route } from './+types/selling-costs.ts'

const MAX_FEE = 10_000

/** Saves the fees and shipping of the buy calculator, unless one is invalid, and returns to its page. */
export async function action({ request, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const field = await readForm(request)
  const [fee, fixed, ship] = [parsePrice(field('fee')), parsePrice(field('fixed')), parsePrice(field('ship'))]
  if (fee !== undefined && fee <= MAX_FEE && fixed !== undefined && ship !== undefined) {
    const costs = { feeBasisPoints: fee, fixedFee: fixed, shipping: ship }
    await writeAs(getServices(context).db, accountId, (tx) => saveSellingCosts(tx, accountId, costs))
  }
  return redirect(safeRedirectPath(field('to')))
}

import { redirect } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { MAX_FEE_BASIS_POINTS } from '@brickmark/core/portfolio/buy-price'
import { parsePrice } from '@brickmark/core/portfolio/lot'
import { saveSellingCosts } from '@brickmark/core/portfolio/selling-costs-commands'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { safeRedirectPath } from '../request/session.server.ts'
import type { Route } from './+types/selling-costs.ts'

const FIELDS = ['condition', 'roi', 'sell', 'fee', 'fixed', 'ship']

/**
 * Saves the fees and shipping of the buy calculator and returns to its page. If one is invalid, nothing is saved, and the page
 * shows what was entered, with an error.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const field = await readForm(request)
  const page = safeRedirectPath(field('to'))
  const [fee, fixed, ship] = [parsePrice(field('fee')), parsePrice(field('fixed')), parsePrice(field('ship'))]
  if (fee === undefined || fee > MAX_FEE_BASIS_POINTS || fixed === undefined || ship === undefined) {
    const entered = FIELDS.map((name) => [name, field(name)]).filter(([, text]) => text !== '')
    return redirect(`${page}?${new URLSearchParams(entered).toString()}`)
  }
  const costs = { feeBasisPoints: fee, fixedFee: fixed, shipping: ship }
  await writeAs(getServices(context).db, accountId, (tx) => saveSellingCosts(tx, accountId, costs))
  return redirect(page)
}

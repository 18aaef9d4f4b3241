import { redirect } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { MAX_FEE_BASIS_POINTS } from '@brickmark/core/portfolio/buy-price'
import { parsePrice } from '@brickmark/core/portfolio/lot'
import { DEFAULT_SHIPPING, shippingClass } from '@brickmark/core/portfolio/selling-costs'
import { saveSellingCosts } from '@brickmark/core/portfolio/selling-costs-commands'
import { findSellingCosts } from '@brickmark/core/portfolio/selling-costs-queries'
import { formatDay, utcDayOf } from '@brickmark/core/primitives/calendar'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { safeRedirectPath } from '../request/session.server.ts'
import type { Route } from './+types/selling-costs.ts'

const FIELDS = ['condition', 'roi', 'sell', 'fee', 'fixed', 'ship', 'ship0', 'ship1', 'ship2', 'ship3']

/**
 * Saves fees and shipping from the buy calculator, which knows the weight of one box, or from the deals, which know all, and
 * returns to the page. If one is invalid, nothing is saved, and the page shows what was entered, with an error.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const { db } = getServices(context)
  const field = await readForm(request)
  const page = safeRedirectPath(field('to'))
  const [fee, fixed] = [parsePrice(field('fee')), parsePrice(field('fixed'))]
  // A field that isn't in the form keeps what is saved.
  const shipping = DEFAULT_SHIPPING.map((_, index) => {
    const text = field(`ship${index}`) || (index === classOf(field('weight')) ? field('ship') : '')
    return text === '' ? null : parsePrice(text)
  })
  if (fee === undefined || fee > MAX_FEE_BASIS_POINTS || fixed === undefined || shipping.includes(undefined)) {
    const entered = FIELDS.map((name) => [name, field(name)]).filter(([, text]) => text !== '')
    return redirect(`${page}?${new URLSearchParams(entered).toString()}`)
  }
  await writeAs(db, accountId, async (tx) => {
    const saved = await findSellingCosts(tx, accountId, formatDay(utcDayOf(new Date())))
    const shippingByWeight = shipping.map((cents, index) => cents ?? saved.shippingByWeight[index]!)
    await saveSellingCosts(tx, accountId, { feeBasisPoints: fee, fixedFee: fixed, shippingByWeight })
  })
  return redirect(page)
}

function classOf(weight: string): number {
  return shippingClass(weight === '' ? null : Number(weight))
}

import { redirect } from 'react-router'
import { getServices } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { preferenceCookie } from '../request/preference-cookie.server.ts'
import { safeRedirectPath } from '../request/session.server.ts'
import type { Route } from './+types/currency.ts'

/** Saves the currency that values are shown in beside US dollars, or that there is none. */
export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const choice = field('currency')
  const currency = /^[A-Z]{3}$/.test(choice) ? choice : undefined
  const cookie = preferenceCookie('currency', currency, getServices(context).config)
  return redirect(safeRedirectPath(field('to')), { headers: { 'set-cookie': cookie } })
}

import { redirect } from 'react-router'
import { readForm } from '../server/form.ts'
import { safeRedirectPath } from '../server/session.ts'
import { themeCookie } from '../server/theme.ts'
import type { Route } from './+types/theme.ts'

/** Saves the theme: light, dark or system. */
export async function action({ request }: Route.ActionArgs) {
  const field = await readForm(request)
  const choice = field('theme')
  const theme = choice === 'light' || choice === 'dark' ? choice : undefined
  return redirect(safeRedirectPath(field('to')), { headers: { 'set-cookie': themeCookie(theme) } })
}

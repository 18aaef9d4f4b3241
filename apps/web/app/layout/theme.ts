import { redirect } from 'react-router'
import { getServices } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { preferenceCookie } from '../request/preference-cookie.server.ts'
import { safeRedirectPath } from '../request/session.server.ts'
import type { Route } from './+types/theme.ts'

/** Saves the theme: light, dark or system. */
export async function action({ request, context }: Route.ActionArgs) {
  const field = await readForm(request)
  const choice = field('theme')
  const theme = choice === 'light' || choice === 'dark' ? choice : undefined
  const cookie = preferenceCookie('theme', theme, getServices(context).config)
  return redirect(safeRedirectPath(field('to')), { headers: { 'set-cookie': cookie } })
}

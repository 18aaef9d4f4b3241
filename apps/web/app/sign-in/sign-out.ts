import { redirect } from 'react-router'
import { callAuth } from './call-auth.server.ts'
import type { Route } from './+types/sign-out.ts'

/** Ends the current session. */
export async function action({ request, context }: Route.ActionArgs) {
  const { headers } = await callAuth(request, context, '/sign-out', {})
  return redirect('/sign-in', { headers })
}

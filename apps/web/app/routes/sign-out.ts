import { redirect, type ActionFunctionArgs } from 'react-router'
import { callAuth } from '../server/call-auth.ts'

/** Ends the current session. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { headers } = await callAuth(request, context, '/sign-out', {})
  return redirect('/sign-in', { headers })
}

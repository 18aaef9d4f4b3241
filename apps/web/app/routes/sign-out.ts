import { redirect, type ActionFunctionArgs } from 'react-router'
import { callAuth } from '../server/call-auth.ts'

/** Ends this session. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { headers } = await callAuth(request, context, '/sign-out', {})
  return redirect('/sign-in', { headers })
}

import { data, redirect, type MiddlewareFunction } from 'react-router'
import { requireUser } from '../request/context.server.ts'
import { reauthPath } from '../request/session.server.ts'

/**
 * Restricts routes to operators who signed in with a second factor: responds 404 to all other users. The database checks
 * both independently.
 */
export const requireAdmin: MiddlewareFunction<Response> = async ({ context }) => {
  const { operator, secondFactor, twoFactor } = requireUser(context)
  if (!operator) throw data('not found', 404)
  if (!secondFactor) throw redirect(twoFactor ? reauthPath('/admin') : '/account?need=second-factor')
}

import { data, redirect, type RouterContextProvider } from 'react-router'
import { findSessions } from '@brickmark/core/account/session-queries'
import { callAuth, type AuthResult } from '../sign-in/call-auth.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'

type Context = Readonly<RouterContextProvider>

/** Loads the sign-in methods and sessions of the current user. */
export async function loadSecurity(request: Request, context: Context) {
  const { auth, db } = getServices(context)
  const { userId, sessionToken, twoFactor } = requireUser(context)
  const [sessions, passkeys] = await Promise.all([
    // Not via better-auth, which refuses to list sessions once the sign-in is 12 hours old.
    findSessions(db, userId),
    auth.api.listPasskeys({ headers: request.headers }),
  ])
  return {
    twoFactor,
    sessions: sessions.map(({ id, token, created_at, updated_at, ip_address, user_agent }) => ({
      id,
      current: token === sessionToken,
      signedInAt: created_at.toISOString(),
      lastSeen: updated_at.toISOString(),
      address: ip_address ?? '',
      client: user_agent ?? '',
    })),
    passkeys: passkeys.map(({ id, name, createdAt }) => ({
      id,
      name: name ?? 'Passkey',
      added: new Date(createdAt).toISOString(),
    })),
  }
}

/**
 * Intents that change credentials and need a recent sign-in. Ending sessions grants no access, so any session may do
 * it.
 */
const CREDENTIAL_CHANGES = new Set(['password', 'remove-passkey'])

/** Handles the security forms of the account page; `intent` selects the form. */
export async function handleSecurityAction(request: Request, context: Context, field: (name: string) => string) {
  const call = (path: string, body: Record<string, unknown>) => callAuth(request, context, path, body)
  const intent = field('intent')
  if (CREDENTIAL_CHANGES.has(intent)) requireRecentSignIn(context, '/account')
  if (intent === 'password') {
    const [currentPassword, newPassword] = [field('current'), field('new')]
    const changed = await call('/change-password', { currentPassword, newPassword, revokeOtherSessions: true })
    // Redirect so that the page is loaded with the replacement session.
    if (changed.ok) return redirect('/account?done=password', { headers: changed.headers })
    return actionResult(intent, changed, '')
  }
  if (intent === 'end-session') {
    const sessions = await findSessions(getServices(context).db, requireUser(context).userId)
    const session = sessions.find(({ id }) => id === field('id'))
    if (!session) return data({ intent, error: 'That session has already been signed out.' }, 400)
    return actionResult(intent, await call('/revoke-session', { token: session.token }), 'Session signed out.')
  }
  if (intent === 'end-others') {
    return actionResult(intent, await call('/revoke-other-sessions', {}), 'Signed out of all other devices.')
  }
  if (intent === 'end-all') {
    await call('/revoke-sessions', {})
    const { headers } = await call('/sign-out', {})
    return redirect('/sign-in?done=out', { headers })
  }
  if (intent === 'remove-passkey') {
    return actionResult(intent, await call('/passkey/delete-passkey', { id: field('id') }), 'Passkey removed.')
  }
  return data({ intent, error: 'Something went wrong. Please try again.' }, 400)
}

function actionResult(intent: string, { ok, status, actionError, headers }: AuthResult, success: string) {
  return data(ok ? { intent, success } : { intent, error: actionError }, { status, headers })
}

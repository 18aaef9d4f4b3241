import { data, redirect, type RouterContextProvider } from 'react-router'
import { callAuth, type AuthAnswer } from './call-auth.ts'
import { servicesOf, signedIn } from './context.ts'

type Context = Readonly<RouterContextProvider>

/** The ways in and the sessions of whoever is signed in. */
export async function findSecurity(request: Request, context: Context) {
  const { auth } = servicesOf(context)
  const { sessionToken, twoFactor } = signedIn(context)
  const { headers } = request
  const [sessions, passkeys] = await Promise.all([
    auth.api.listSessions({ headers }),
    auth.api.listPasskeys({ headers }),
  ])
  return {
    twoFactor,
    sessions: sessions.map(({ id, token, createdAt, updatedAt, ipAddress, userAgent }) => ({
      id,
      current: token === sessionToken,
      since: createdAt.toISOString(),
      lastSeen: updatedAt.toISOString(),
      address: ipAddress ?? '',
      client: userAgent ?? '',
    })),
    passkeys: passkeys.map(({ id, name, createdAt }) => ({
      id,
      name: name ?? 'Passkey',
      added: new Date(createdAt).toISOString(),
    })),
  }
}

/** Does what one of the forms of the account page asks for. `intent` names the form. */
export async function changeSecurity(request: Request, context: Context, field: (name: string) => string) {
  const call = (path: string, body: Record<string, unknown>) => callAuth(request, context, path, body)
  const intent = field('intent')
  if (intent === 'password') {
    const [currentPassword, newPassword] = [field('current'), field('new')]
    const changed = await call('/change-password', { currentPassword, newPassword, revokeOtherSessions: true })
    return outcome(intent, changed, 'The password is changed, and your other sessions have ended.')
  }
  if (intent === 'end-session') {
    const sessions = await servicesOf(context).auth.api.listSessions({ headers: request.headers })
    const session = sessions.find(({ id }) => id === field('id'))
    if (!session) return data({ intent, problem: 'That session has ended already.' }, 400)
    return outcome(intent, await call('/revoke-session', { token: session.token }), 'The session has ended.')
  }
  if (intent === 'end-others') {
    return outcome(intent, await call('/revoke-other-sessions', {}), 'Your other sessions have ended.')
  }
  if (intent === 'end-all') {
    await call('/revoke-sessions', {})
    const { headers } = await call('/sign-out', {})
    return redirect('/sign-in?done=out', { headers })
  }
  if (intent === 'remove-passkey') {
    return outcome(intent, await call('/passkey/delete-passkey', { id: field('id') }), 'The passkey is removed.')
  }
  return data({ intent, problem: 'That was not understood.' }, 400)
}

function outcome(intent: string, { ok, problem, headers }: AuthAnswer, done: string) {
  return data(ok ? { intent, done } : { intent, problem }, { status: ok ? 200 : 400, headers })
}

import { data } from 'react-router'
import { callAuth } from './call-auth.server.ts'
import { sessionContext } from '../request/context.server.ts'
import { endReplacedSession, reauthPath } from '../request/session.server.ts'
import type { Route } from './+types/passkey.ts'

const OPTIONS_ENDPOINTS: Record<string, string> = {
  'add-options': '/passkey/generate-register-options',
  'sign-in-options': '/passkey/generate-authenticate-options',
}
const VERIFY_ENDPOINTS: Record<string, string> = {
  add: '/passkey/verify-registration',
  'sign-in': '/passkey/verify-authentication',
}

/** Adding a passkey requires a recent sign-in. */
function hasRecentSignIn(context: Route.LoaderArgs['context']): boolean {
  return context.get(sessionContext)?.recentlySignedIn === true
}

function reauthRequired(): Response {
  return Response.json({ signIn: reauthPath('/account') }, { status: 403 })
}

/** Returns the WebAuthn options for the browser. */
export async function loader({ request, context, params: { step } }: Route.LoaderArgs) {
  const path = OPTIONS_ENDPOINTS[step]
  if (path === undefined) throw data('not found', 404)
  if (step === 'add-options' && !hasRecentSignIn(context)) return reauthRequired()
  const { ok, status, headers, data: options, actionError } = await callAuth(request, context, path)
  return Response.json(ok ? options : { error: actionError }, { status, headers })
}

/** Verifies the authenticator's response. */
export async function action({ request, context, params: { step } }: Route.ActionArgs) {
  const path = VERIFY_ENDPOINTS[step]
  if (path === undefined) throw data('not found', 404)
  if (step === 'add' && !hasRecentSignIn(context)) return reauthRequired()
  const { ok, status, headers, actionError } = await callAuth(
    request,
    context,
    path,
    (await request.json()) as Record<string, unknown>,
  )
  if (ok && step === 'sign-in') await endReplacedSession(context)
  return Response.json(ok ? {} : { error: actionError }, { status, headers })
}

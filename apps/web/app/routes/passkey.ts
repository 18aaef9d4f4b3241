import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { callAuth } from '../server/call-auth.ts'
import { sessionContext } from '../server/context.ts'
import { endReplacedSession, signInAgain } from '../server/session.ts'

const OPTIONS: Record<string, string> = {
  'add-options': '/passkey/generate-register-options',
  'sign-in-options': '/passkey/generate-authenticate-options',
}
const VERIFY: Record<string, string> = {
  add: '/passkey/verify-registration',
  'sign-in': '/passkey/verify-authentication',
}

/** Another way in is only for somebody who proved lately who they are. */
function isFresh(context: LoaderFunctionArgs['context']): boolean {
  return context.get(sessionContext)?.fresh === true
}

function proveFirst(): Response {
  return Response.json({ signIn: signInAgain('/account') }, { status: 403 })
}

/** What the browser asks the authenticator for. */
export async function loader({ request, context, params: { step = '' } }: LoaderFunctionArgs) {
  const path = OPTIONS[step]
  if (path === undefined) throw data('not found', 404)
  if (step === 'add-options' && !isFresh(context)) return proveFirst()
  const { ok, headers, data: options, problem } = await callAuth(request, context, path)
  return Response.json(ok ? options : { problem }, { status: ok ? 200 : 400, headers })
}

/** What the authenticator answered. */
export async function action({ request, context, params: { step = '' } }: ActionFunctionArgs) {
  const path = VERIFY[step]
  if (path === undefined) throw data('not found', 404)
  if (step === 'add' && !isFresh(context)) return proveFirst()
  const { ok, headers, problem } = await callAuth(
    request,
    context,
    path,
    (await request.json()) as Record<string, unknown>,
  )
  if (ok && step === 'sign-in') await endReplacedSession(context)
  return Response.json(ok ? {} : { problem }, { status: ok ? 200 : 400, headers })
}

import { data, type HeadersArgs, type RouterContextProvider } from 'react-router'
import { CLIENT_IP_HEADER } from '../../server/security.ts'
import { getServices } from './context.ts'

export type AuthResult = {
  ok: boolean
  /** Message for the user, if `ok` is false. */
  actionError: string
  data: Record<string, unknown>
  /** Set-Cookie headers to forward, also on failure: signing in, its second step and signing out all change cookies. */
  headers: Headers
}

const FORWARDED = ['cookie', 'user-agent', 'origin', CLIENT_IP_HEADER]

/**
 * Calls a better-auth endpoint as if the browser had, so that its rate limits and checks apply. Sends a POST if `body`
 * is given, otherwise a GET.
 */
export async function callAuth(
  request: Request,
  context: Readonly<RouterContextProvider>,
  path: string,
  body?: Record<string, unknown>,
): Promise<AuthResult> {
  const { auth, config } = getServices(context)
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of FORWARDED) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await auth.handler(new Request(`${config.publicUrl}/api/auth${path}`, init))
  const text = await response.text()
  const parsed = (JSON.parse(text || '{}') ?? {}) as Record<string, unknown>
  const cookies = new Headers()
  for (const cookie of response.headers.getSetCookie()) cookies.append('set-cookie', cookie)
  return { ok: response.ok, actionError: authErrorMessage(response, parsed['code']), data: parsed, headers: cookies }
}

/** Builds the error result of an action. */
export function actionError(message: string, status = 400, headers?: Headers) {
  return data({ actionError: message }, { status, ...(headers && { headers }) })
}

/** For routes whose action may answer 429: without it, only cookies of an action reach the response. */
export function actionHeaders({ actionHeaders: headers }: HeadersArgs): Headers {
  return headers
}

const ERROR_MESSAGES: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'The address or the password is not right.',
  INVALID_PASSWORD: 'The password is not right.',
  INVALID_EMAIL: 'That is not an e-mail address.',
  PASSWORD_TOO_SHORT: 'The password needs at least 10 characters.',
  PASSWORD_TOO_LONG: 'The password may have at most 128 characters.',
  EMAIL_NOT_VERIFIED: 'Confirm your address first: we have sent you another mail.',
  INVALID_TOKEN: 'This link is not valid, or has been used. Ask for another.',
  TOKEN_EXPIRED: 'This link has expired. Ask for another.',
  INVALID_CODE: 'The code is not right. Codes change every 30 seconds.',
  INVALID_BACKUP_CODE: 'That is not one of your unused recovery codes.',
  INVALID_TWO_FACTOR_COOKIE: 'That took too long. Sign in again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Sign in again.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many wrong codes. The second step is locked for 15 minutes.',
}

function authErrorMessage(response: Response, code: unknown): string {
  if (response.status === 429 && code === undefined) {
    const seconds = Number(response.headers.get('x-retry-after') ?? 60)
    return `Too many tries from your address. Wait ${seconds} seconds and try again.`
  }
  return (typeof code === 'string' ? ERROR_MESSAGES[code] : undefined) ?? 'That did not work. Please try again.'
}

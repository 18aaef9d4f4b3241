import type { RouterContextProvider } from 'react-router'
import { ACCOUNT_SUSPENDED } from '../../host/auth-hooks.ts'
import { CLIENT_IP_HEADER } from '../../host/security.ts'
import { getServices } from '../request/context.server.ts'

export type AuthResult = {
  ok: boolean
  /** 429 if the user has to wait, as `retry-after` of the headers says; else 400 for every failure. */
  status: number
  /** Message for the user, if `ok` is false. */
  actionError: string
  data: Record<string, unknown>
  /** Headers to forward, mostly Set-Cookie, also on failure: signing in, its second step and signing out all change cookies. */
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
  const waitS =
    response.status === 429 ? Number(parsed['retryAfter'] ?? response.headers.get('x-retry-after') ?? 60) : 0
  if (waitS > 0) cookies.set('retry-after', String(waitS))
  return {
    ok: response.ok,
    status: response.ok ? 200 : waitS > 0 ? 429 : 400,
    actionError:
      parsed['code'] === ACCOUNT_SUSPENDED
        ? suspendedMessage(config.contactEmail)
        : authErrorMessage(parsed['code'], waitS),
    data: parsed,
    headers: cookies,
  }
}

/** Returns the message for someone whose account is suspended. */
export function suspendedMessage(contactEmail: string | undefined): string {
  const contact = contactEmail === undefined ? 'Contact whoever runs this service' : `Write to ${contactEmail}`
  return `Your account is suspended. Your data is kept, and nothing has been deleted. ${contact} to find out why.`
}

const ERROR_MESSAGES: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'Incorrect email or password.',
  INVALID_PASSWORD: 'Incorrect password.',
  INVALID_EMAIL: 'Enter a valid email address.',
  PASSWORD_TOO_SHORT: 'Use at least 10 characters.',
  PASSWORD_TOO_LONG: 'Use at most 128 characters.',
  PASSWORD_TOO_EASY: 'That password is easy to guess. Use a few random words instead.',
  EMAIL_NOT_VERIFIED: 'Confirm your email first. We’ve just sent you a new link.',
  INVALID_TOKEN: 'This link is invalid or has already been used. Request a new one.',
  TOKEN_EXPIRED: 'This link has expired. Request a new one.',
  INVALID_CODE: 'Incorrect code. Codes change every 30 seconds.',
  INVALID_BACKUP_CODE: 'Invalid or already used recovery code.',
  INVALID_TWO_FACTOR_COOKIE: 'Your sign-in timed out. Please start again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many incorrect codes. Please sign in again.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many incorrect codes. Try again in 15 minutes.',
}

function authErrorMessage(code: unknown, waitS: number): string {
  if (typeof code === 'string' && WAIT_MESSAGES[code] !== undefined) {
    return `${WAIT_MESSAGES[code]} Try again in ${formatWait(waitS)}.`
  }
  if (waitS > 0 && code === undefined) return `Too many attempts. Try again in ${formatWait(waitS)}.`
  return (typeof code === 'string' ? ERROR_MESSAGES[code] : undefined) ?? 'Something went wrong. Please try again.'
}

const WAIT_MESSAGES: Record<string, string> = {
  TOO_MANY_SIGN_INS:
    'Too many incorrect passwords for this email. You can still sign in with a passkey or reset your password.',
  TOO_MANY_EMAILS: 'We’ve already sent several emails to this address. Check your spam folder, too.',
}

function formatWait(seconds: number): string {
  if (seconds <= 120) return `${seconds} seconds`
  return seconds <= 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}

import { isAPIError } from 'better-auth/api'
import { redirect, type MiddlewareFunction, type RouterContextProvider } from 'react-router'
import { endSession, touchSession } from '@brickmark/core/account/session-commands'
import { POLLING_PARAM } from '../api-key/first-request.tsx'
import { requestContext, servicesContext, sessionContext, requireUser } from './context.server.ts'

const MINUTE_MS = 60_000
const IDLE_MINUTES = 30
const RECENT_SIGN_IN_MS = 12 * 60 * MINUTE_MS

/** Loads the session for every page and forwards the cookie of a renewed session. */
export const loadSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { auth, db } = context.get(servicesContext)
  const { headers, response: found } = await auth.api
    .getSession({ headers: request.headers, returnHeaders: true })
    .catch((error: unknown) => {
      // better-auth replaces the error of the database, which is all that a lookup depends on.
      if (isAPIError(error) && error.statusCode === 500) context.get(requestContext).unavailable = true
      throw error
    })
  if (found) {
    const { user, session } = found
    if (user.suspended === true) {
      await endSession(db, session.token)
      throw redirect('/sign-in?done=suspended')
    }
    const idle = Date.now() - session.updatedAt.getTime()
    // Automatic polling does not count as user activity.
    const isUserActive = !new URL(request.url).searchParams.has(POLLING_PARAM)
    if (isUserActive && idle > MINUTE_MS && idle < IDLE_MINUTES * MINUTE_MS) {
      await touchSession(db, session.token, IDLE_MINUTES)
    }
    context.set(sessionContext, {
      userId: user.id,
      accountId: Number(user.accountId),
      name: user.name,
      email: user.email,
      operator: user.operator === true,
      twoFactor: user.twoFactorEnabled === true,
      secondFactor: session.secondFactor === true,
      sessionToken: session.token,
      signedInAt: session.createdAt,
      recentlySignedIn: Date.now() - session.createdAt.getTime() < RECENT_SIGN_IN_MS && idle < IDLE_MINUTES * MINUTE_MS,
    })
  }
  const response = await next()
  // Cookies set by the route take precedence, e.g. when signing out.
  const set = new Set(response.headers.getSetCookie().map(cookieName))
  for (const cookie of headers.getSetCookie()) {
    if (!set.has(cookieName(cookie))) response.headers.append('set-cookie', cookie)
  }
  return response
}

function cookieName(cookie: string): string {
  return cookie.slice(0, cookie.indexOf('='))
}

/** Redirects unauthenticated requests to the sign-in page, and back after signing in. */
export const requireSession: MiddlewareFunction<Response> = async ({ request, context }) => {
  if (context.get(sessionContext)) return
  const { pathname, search } = new URL(request.url)
  const requestedPath = request.method === 'GET' ? pathname + search : '/'
  throw redirect(requestedPath === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(requestedPath)}`)
}

/**
 * Requires a recent sign-in for sensitive actions (creating keys, changing credentials, exporting data); otherwise
 * redirects to the sign-in page and back. `withinMs` sets a shorter limit for the age of the sign-in.
 */
export function requireRecentSignIn(
  context: Readonly<RouterContextProvider>,
  returnTo: string,
  withinMs = Number.POSITIVE_INFINITY,
): void {
  const { recentlySignedIn, signedInAt } = requireUser(context)
  if (recentlySignedIn && Date.now() - signedInAt.getTime() < withinMs) return
  throw redirect(reauthPath(returnTo))
}

/** Path of the sign-in page for a signed-in user who must reauthenticate, with the path to return to. */
export function reauthPath(returnTo: string): string {
  return `/sign-in?done=again&to=${encodeURIComponent(returnTo)}`
}

/**
 * Ends the session that a new sign-in replaces, since no cookie refers to it any more. Call only after authentication.
 */
export async function endReplacedSession(context: Readonly<RouterContextProvider>): Promise<void> {
  const replaced = context.get(sessionContext)
  if (replaced) await endSession(context.get(servicesContext).db, replaced.sessionToken)
}

/** Placeholder for our own origin, used to detect URLs that leave it. */
const OWN_ORIGIN = 'http://ours.invalid'

/**
 * Returns the path to redirect to after signing in, never another site. Browsers strip control characters from URLs and
 * treat a backslash as a slash, so a string that looks like a path may name a host.
 */
export function safeRedirectPath(requestedPath: string | null): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what we reject
  if (requestedPath === null || !requestedPath.startsWith('/') || /[\x00-\x20\x7f\\]/.test(requestedPath)) return '/'
  const url = URL.parse(requestedPath, OWN_ORIGIN)
  // If resolving dot segments yields a leading `//`, resolving the result again would name a host.
  if (url === null || url.origin !== OWN_ORIGIN || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

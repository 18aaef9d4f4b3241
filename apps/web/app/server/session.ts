import { redirect, type MiddlewareFunction, type RouterContextProvider } from 'react-router'
import { endSession, touchSession } from '@brickmark/core/account/session-commands'
import { POLLING_PARAM } from '../components/first-request.tsx'
import { servicesContext, sessionContext, requireUser } from './context.ts'

const MINUTE_MS = 60_000
const IDLE_MINUTES = 30
const RECENT_SIGN_IN_MS = 12 * 60 * MINUTE_MS

/** Finds out who is signed in, for every page. Passes on the cookie of a session that was prolonged. */
export const loadSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { auth, db } = context.get(servicesContext)
  const { headers, response: found } = await auth.api.getSession({ headers: request.headers, returnHeaders: true })
  if (found) {
    const { user, session } = found
    const idle = Date.now() - session.updatedAt.getTime()
    // A page that looks again by itself is nobody's presence.
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
      sessionToken: session.token,
      signedInAt: session.createdAt,
      recentlySignedIn: Date.now() - session.createdAt.getTime() < RECENT_SIGN_IN_MS && idle < IDLE_MINUTES * MINUTE_MS,
    })
  }
  const response = await next()
  // Not over one that the page itself set: signing out has the last word.
  const set = new Set(response.headers.getSetCookie().map(cookieName))
  for (const cookie of headers.getSetCookie()) {
    if (!set.has(cookieName(cookie))) response.headers.append('set-cookie', cookie)
  }
  return response
}

function cookieName(cookie: string): string {
  return cookie.slice(0, cookie.indexOf('='))
}

/** Sends everybody who is not signed in to the sign-in page, and back afterwards. */
export const requireSession: MiddlewareFunction<Response> = async ({ request, context }) => {
  if (context.get(sessionContext)) return
  const { pathname, search } = new URL(request.url)
  const requestedPath = request.method === 'GET' ? pathname + search : '/'
  throw redirect(requestedPath === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(requestedPath)}`)
}

/**
 * Making a key, changing a way in or taking everything away is for somebody who proved lately who they are and has been
 * here since; others sign in again and come back. `withinMs` asks for a proof that is younger still.
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

/** The sign-in page, for somebody who is signed in but must prove again that it is they, and the way back. */
export function reauthPath(returnTo: string): string {
  return `/sign-in?done=again&to=${encodeURIComponent(returnTo)}`
}

/** Whoever signs in anew leaves no session behind that nobody holds any more; to be called once they have proved who they are. */
export async function endReplacedSession(context: Readonly<RouterContextProvider>): Promise<void> {
  const replaced = context.get(sessionContext)
  if (replaced) await endSession(context.get(servicesContext).db, replaced.sessionToken)
}

/** Stands for our own origin: only whether an address leaves it matters. */
const OWN_ORIGIN = 'http://ours.invalid'

/**
 * Where to go after signing in: a path of ours, never another site. Browsers take control characters out of an address and
 * read a backslash as a slash, so that what looks like a path may name a host.
 */
export function safeRedirectPath(requestedPath: string | null): string {
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  if (requestedPath === null || !requestedPath.startsWith('/') || /[\x00-\x20\x7f\\]/.test(requestedPath)) return '/'
  const url = URL.parse(requestedPath, OWN_ORIGIN)
  // A path that begins with two slashes once its dots are resolved would name a host when it is resolved again.
  if (url === null || url.origin !== OWN_ORIGIN || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

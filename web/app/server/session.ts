import { redirect, type MiddlewareFunction, type RouterContextProvider } from 'react-router'
import { servicesContext, sessionContext, signedIn } from './context.ts'

/** Finds out who is signed in, for every page. Passes on the cookie of a session that was prolonged. */
export const findSession: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { auth } = context.get(servicesContext)
  const { headers, response: found } = await auth.api.getSession({ headers: request.headers, returnHeaders: true })
  if (found) {
    const { user, session } = found
    context.set(sessionContext, {
      userId: user.id,
      accountId: Number(user.accountId),
      name: user.name,
      email: user.email,
      operator: user.operator === true,
      twoFactor: user.twoFactorEnabled === true,
      sessionToken: session.token,
      since: session.createdAt,
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
  const wanted = request.method === 'GET' ? pathname + search : '/'
  throw redirect(wanted === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(wanted)}`)
}

const RECENT_MS = 12 * 3_600_000

/** Making a key is for somebody who proved lately who they are; others sign in again and come back. */
export function requireRecentSignIn(context: Readonly<RouterContextProvider>, backTo: string): void {
  if (Date.now() - signedIn(context).since.getTime() < RECENT_MS) return
  throw redirect(`/sign-in?done=again&to=${encodeURIComponent(backTo)}`)
}

/** Where to go after signing in: a path of ours, never another site. */
export function safePath(wanted: string | null): string {
  return wanted !== null && /^\/(?![/\\])/.test(wanted) ? wanted : '/'
}

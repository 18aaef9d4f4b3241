import { data, type MiddlewareFunction, type RouterContextProvider } from 'react-router'
import { networkOf } from '@brickmark/core/runtime/client-network'
import type { RateLimits } from '../../host/rate-limits.ts'
import { CLIENT_IP_HEADER } from '../../host/security.ts'
import { getServices, requestContext, sessionContext } from './context.server.ts'
import { requireSession } from './session.server.ts'

type Context = Readonly<RouterContextProvider>

/** Lets visitors in if the operator publishes pages; otherwise they have to sign in. Legal pages are for everyone. */
export const allowVisitors: MiddlewareFunction<Response> = async (args, next) => {
  const { pathname } = new URL(args.request.url)
  if (getServices(args.context).config.publicPages === 'off' && !pathname.startsWith('/legal/'))
    await requireSession(args, next)
}

/** Limits catalog page views, to prevent scraping. */
export const limitPages = limitReaders(['visitorPages'], ['memberPages', 'memberPagesPerMinute'])
/** Limits pages of shared collections, so that many shelves aren't a cheap copy of all values. */
export const limitShelves = limitReaders(['visitorPages', 'visitorShelves'], ['memberPages', 'memberPagesPerMinute'])
/** Limits searches per minute. */
export const limitSearches = limitReaders(['visitorSearches'], ['memberSearches'])

/** Limits visitors by their network, and those who are signed in by their account. */
function limitReaders(visitor: (keyof RateLimits)[], member: (keyof RateLimits)[]): MiddlewareFunction<Response> {
  return async ({ request, context }) => {
    const { rateLimits } = getServices(context)
    const session = context.get(sessionContext)
    const reader = session ? session.accountId : networkOf(request.headers.get(CLIENT_IP_HEADER) ?? '')
    const waits = await Promise.all((session ? member : visitor).map((limit) => rateLimits[limit].take(reader)))
    const seconds = Math.max(...waits)
    if (seconds === 0) return
    context.get(requestContext).retryAfter = seconds
    throw data(null, 429)
  }
}

/** Whether this page may show computed values. */
export function showsValues(context: Context): boolean {
  return context.get(sessionContext) !== null || getServices(context).config.publicPages === 'values'
}

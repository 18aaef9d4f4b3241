import ipaddr from 'ipaddr.js'
import { data, type MiddlewareFunction, type RouterContextProvider } from 'react-router'
import { CLIENT_IP_HEADER } from '../../server/security.ts'
import { getServices, requestContext, sessionContext } from './context.ts'
import { requireSession } from './session.ts'

type Context = Readonly<RouterContextProvider>

/** Lets visitors in if the operator publishes pages; otherwise they have to sign in. Legal pages are for everyone. */
export const allowVisitors: MiddlewareFunction<Response> = async (args, next) => {
  const { pathname } = new URL(args.request.url)
  if (getServices(args.context).config.publicPages === 'off' && !pathname.startsWith('/legal/'))
    await requireSession(args, next)
}

/** Limits how many catalog pages visitors open per day. */
export const limitVisitors = limitByAddress('visitorPages')
/** Limits how many searches visitors make per minute. */
export const limitVisitorSearches = limitByAddress('visitorSearches')

/** Limits visitors by their address. Signed-in users have no limit. */
function limitByAddress(limit: 'visitorPages' | 'visitorSearches'): MiddlewareFunction<Response> {
  return async ({ request, context }) => {
    if (context.get(sessionContext)) return
    const address = addressGroup(request.headers.get(CLIENT_IP_HEADER) ?? '')
    const seconds = await getServices(context).rateLimits[limit].take(address)
    if (seconds === 0) return
    context.get(requestContext).retryAfter = seconds
    throw data(null, 429)
  }
}

/** Whether this page may show computed values. */
export function showsValues(context: Context): boolean {
  return context.get(sessionContext) !== null || getServices(context).config.publicPages === 'values'
}

/** An IPv6 client has 2^64 addresses of its own, so its whole network counts as one. */
function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}

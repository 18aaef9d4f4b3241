import { createContext, redirect, RouterContextProvider } from 'react-router'
import type { Services } from '../../host/services.ts'

/** Per-request data: the CSP nonce and the request id used in the log. */
type RequestInfo = {
  nonce: string
  requestId: string
  /** Set when the database was unavailable; the response is then a 503. */
  unavailable?: true
  /** Seconds to wait, if a limit was reached. */
  retryAfter?: number
}

/** The signed-in user. */
export type SessionUser = {
  userId: string
  accountId: number
  name: string
  email: string
  operator: boolean
  twoFactor: boolean
  /** Whether this session began with a code or a passkey. */
  secondFactor: boolean
  sessionToken: string
  /** Time of the last authentication. */
  signedInAt: Date
  /** True if the last authentication is under 12 hours old and the session has not been idle for 30 minutes since. */
  recentlySignedIn: boolean
}

export const servicesContext = createContext<Services>()
export const requestContext = createContext<RequestInfo>()
export const sessionContext = createContext<SessionUser | null>(null)

/** Creates the context the server passes to the routes for one request. */
export function createRequestContext(services: Services, requestInfo: RequestInfo): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(servicesContext, services)
  context.set(requestContext, requestInfo)
  return context
}

type Context = Readonly<RouterContextProvider>

/** Returns the signed-in user. Only for routes below the signed-in layout, which redirects everyone else. */
export function requireUser(context: Context): SessionUser {
  const session = context.get(sessionContext)
  if (!session) throw redirect('/sign-in')
  return session
}

export function getServices(context: Context): Services {
  return context.get(servicesContext)
}

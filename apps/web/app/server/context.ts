import { createContext, redirect, RouterContextProvider } from 'react-router'
import type { Services } from '../../server/services.ts'

/** Which answer this is: the nonce of its scripts, and the id by which it is found in the log. */
type RequestInfo = {
  nonce: string
  requestId: string
  /** Set when the database could not be reached in time: the answer is then 503, which proxies understand. */
  unavailable?: true
}

/** Who is signed in. */
export type SessionUser = {
  userId: string
  accountId: number
  name: string
  email: string
  operator: boolean
  twoFactor: boolean
  sessionToken: string
  /** When they last proved who they are. */
  signedInAt: Date
  /** Whether that was within 12 hours, and they were never away for 30 minutes after it. */
  recentlySignedIn: boolean
}

export const servicesContext = createContext<Services>()
export const requestContext = createContext<RequestInfo>()
export const sessionContext = createContext<SessionUser | null>(null)

/** The context with which the server hands a request to the routes. */
export function createRequestContext(services: Services, answer: RequestInfo): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(servicesContext, services)
  context.set(requestContext, answer)
  return context
}

type Context = Readonly<RouterContextProvider>

/** Whoever is signed in. Only for routes below the signed-in layout, which lets nobody else pass. */
export function requireUser(context: Context): SessionUser {
  const session = context.get(sessionContext)
  if (!session) throw redirect('/sign-in')
  return session
}

/** Database handle, configuration and sign-in. */
export function getServices(context: Context): Services {
  return context.get(servicesContext)
}

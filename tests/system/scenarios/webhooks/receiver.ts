import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export type Behavior = 'good' | 'slow' | 'failing' | 'redirecting' | 'gone' | 'hanging' | 'private'

/** A webhook receiver that behaves in one way, and remembers what it got. */
export type Receiver = {
  url: string
  /** Requests so far; for `private`, connections. */
  requests(): number
  /** Requests to the target of the redirect. */
  redirected(): number
  hasReceived(eventId: string): boolean
  /** Counts every other event that was received as strange. */
  expectOnly(eventIds: ReadonlySet<string>): void
  strange(): number
  unsigned(): number
  stop(): Promise<void>
}

const SLOW_MS = 50
/** Verifying each signature in JavaScript would take longer than sending it. */
const VERIFY_EVERY = 50
/** The worker may connect to 127.0.0.1 only. */
const PRIVATE_HOST = '127.0.0.2'

export async function startReceiver(behavior: Behavior, secret: string): Promise<Receiver> {
  const host = behavior === 'private' ? PRIVATE_HOST : '127.0.0.1'
  const webhook = new Webhook(secret)
  const bodies = new Map<string, string>()
  let [requests, redirected, strange, unsigned] = [0, 0, 0, 0]
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/redirected') {
      redirected++
      response.end()
      return
    }
    const body = await text(request)
    const id = String(request.headers['webhook-id'])
    const known = bodies.get(id)
    if (known !== undefined && known !== body) strange++
    bodies.set(id, body)
    if (requests++ % VERIFY_EVERY === 0 && !isSigned(webhook, body, request.headers)) unsigned++
    respond(behavior, response)
  }
  // A request that ends before its body, because its worker was killed, isn't one.
  const server = createServer((request, response) => void receive(request, response).catch(() => {}))
  if (behavior === 'private') server.on('connection', () => requests++)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}/hook`,
    requests: () => requests,
    redirected: () => redirected,
    hasReceived: (eventId) => bodies.has(`msg_${eventId.replaceAll('-', '')}`),
    expectOnly(eventIds) {
      const known = new Set(Array.from(eventIds, (eventId) => `msg_${eventId.replaceAll('-', '')}`))
      strange += [...bodies.keys()].filter((id) => !known.has(id)).length
    },
    strange: () => strange,
    unsigned: () => unsigned,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isSigned(webhook: Webhook, body: string, headers: NodeJS.Dict<string | string[]>): boolean {
  try {
    webhook.verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

const STATUS: Partial<Record<Behavior, number>> = { failing: 500, redirecting: 302, gone: 410 }

function respond(behavior: Behavior, response: ServerResponse): void {
  if (behavior === 'hanging') return
  response.writeHead(STATUS[behavior] ?? 200, behavior === 'redirecting' ? { location: '/redirected' } : {})
  if (behavior === 'slow') setTimeout(() => response.end(), SLOW_MS)
  else response.end()
}

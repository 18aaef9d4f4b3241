import { data, redirect, type RouterContextProvider } from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import type { Attempt } from '@brickmark/core/webhook/delivery'
import { findDeliveries, type Delivery } from '@brickmark/core/webhook/delivery-queries'
import {
  addEndpoint,
  deleteEndpoint,
  enableEndpoint,
  MAX_ENDPOINTS,
  replayDelivery,
  rotateSecret,
  sendTestEvent,
} from '@brickmark/core/webhook/endpoint-commands'
import { findEndpoints, type Endpoint } from '@brickmark/core/webhook/endpoint-queries'
import { findChat, toMessage } from '@brickmark/core/webhook/message'
import { deriveSecret, messageId } from '@brickmark/core/webhook/signature'
import { actionError } from '../request/action-result.server.ts'
import { parseId } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'

type Context = Readonly<RouterContextProvider>

const MAX_DELIVERIES = 25
const MAX_URL_LENGTH = 2000

export async function loadEndpoints(context: Context) {
  const { accountId } = requireUser(context)
  const { db, config } = getServices(context)
  return {
    isAvailable: config.webhookKey !== undefined,
    max: MAX_ENDPOINTS,
    endpoints: (await readAs(db, accountId, (tx) => findEndpoints(tx, accountId))).map(toEndpointView),
  }
}

function toEndpointView({ id, url, createdAt, disabledReason, waiting, failed }: Endpoint) {
  return { id, url, createdAt: createdAt.toISOString(), disabledReason, waiting, failed }
}

/** Adds an endpoint and opens its page. */
export async function createEndpoint(context: Context, request: Request) {
  requireRecentSignIn(context, '/webhooks')
  const { accountId } = requireUser(context)
  const { db, config } = getServices(context)
  const url = parseEndpointUrl((await readForm(request))('url'), config.publicUrl.startsWith('https:'))
  if (url === undefined) return actionError('Enter a URL that starts with https://.')
  const id = await writeAs(db, accountId, (tx) => addEndpoint(tx, accountId, url))
  return id === undefined
    ? actionError(`You can have ${MAX_ENDPOINTS} endpoints. Delete one to add another.`)
    : redirect(`/webhooks/${id}`)
}

/** An http:// URL is only for trying it out on one's own machine. The worker decides what it may connect to. */
export function parseEndpointUrl(text: string, requiresHttps: boolean): string | undefined {
  const url = URL.parse(text.trim())
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && !requiresHttps)
  if (url === null || !isWeb || url.username !== '' || url.href.length > MAX_URL_LENGTH) return undefined
  return url.href
}

/** Loads an endpoint with its secret and latest deliveries; 404 if the account has no such endpoint. */
export async function loadEndpoint(context: Context, idParam: string) {
  const id = parseId(idParam)
  requireRecentSignIn(context, `/webhooks/${id}`)
  const { accountId } = requireUser(context)
  const { db, config } = getServices(context)
  return readAs(db, accountId, async (tx) => {
    const endpoint = await requireEndpoint(tx, accountId, id)
    if (config.webhookKey === undefined) throw data('not found', 404)
    const deliveries = await findDeliveries(tx, accountId, id, MAX_DELIVERIES)
    return {
      ...toEndpointView(endpoint),
      secret: deriveSecret(config.webhookKey, endpoint.salt),
      oldSecretUntil: endpoint.oldSecretUntil?.toISOString() ?? null,
      chat: findChat(endpoint.url),
      deliveries: deliveries.map((delivery) => toDeliveryView(delivery, endpoint.url)),
    }
  })
}

async function requireEndpoint(tx: Database, accountId: number, id: number): Promise<Endpoint> {
  const endpoint = (await findEndpoints(tx, accountId)).find((known) => known.id === id)
  if (endpoint === undefined) throw data('not found', 404)
  return endpoint
}

function toDeliveryView({ event, status, nextAttemptAt, attempts }: Delivery, endpoint: string) {
  return {
    eventId: event.id,
    messageId: messageId(event.id),
    type: event.type,
    at: event.at.toISOString(),
    status,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    body: JSON.stringify(toMessage(event, endpoint).body, null, 2),
    attempts: attempts.map(toAttemptView),
  }
}

function toAttemptView({ at, durationMs, statusCode, response }: Attempt) {
  return { at: at.toISOString(), durationMs, statusCode, response }
}

/** Sends a test event, replays a delivery, rotates the secret, disables or enables an endpoint. */
export async function changeEndpoint(context: Context, request: Request, idParam: string) {
  const id = parseId(idParam)
  requireRecentSignIn(context, `/webhooks/${id}`)
  const { accountId } = requireUser(context)
  const field = await readForm(request)
  const intent = field('intent')
  const eventId = field('event')
  if (intent === 'replay' && !/^[\da-f-]{36}$/.test(eventId)) throw data('not found', 404)
  const { db, rateLimits } = getServices(context)
  if (intent === 'test' && (await rateLimits.webhookTests.take(accountId)) > 0)
    return actionError('You can send 20 test events an hour. Try again later.', 429)
  await writeAs(db, accountId, async (tx) => {
    if (intent === 'test') await sendTestEvent(tx, accountId, id)
    if (intent === 'replay') await replayDelivery(tx, accountId, id, eventId)
    if (intent === 'rotate') await rotateSecret(tx, accountId, id)
    if (intent === 'disable' || intent === 'enable') await enableEndpoint(tx, accountId, id, intent === 'enable')
  })
  return redirect(`/webhooks/${id}`)
}

/** Loads what to ask before an endpoint is deleted. */
export async function loadEndpointToDelete(context: Context, idParam: string) {
  const id = parseId(idParam)
  const { accountId } = requireUser(context)
  const { url, waiting } = await readAs(getServices(context).db, accountId, (tx) => requireEndpoint(tx, accountId, id))
  return { id, url, waiting }
}

/** Deletes an endpoint and returns to the list. */
export async function removeEndpoint(context: Context, idParam: string) {
  const id = parseId(idParam)
  requireRecentSignIn(context, `/webhooks/${id}`)
  const { accountId } = requireUser(context)
  await writeAs(getServices(context).db, accountId, async (tx) => {
    await requireEndpoint(tx, accountId, id)
    await deleteEndpoint(tx, accountId, id)
  })
  return redirect('/webhooks')
}

import { ECDH } from 'node:crypto'
import { data, redirect, type RouterContextProvider } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { sendTestEvent } from '@brickmark/core/webhook/endpoint-commands'
import {
  addPushSubscription,
  deletePushSubscription,
  MAX_PUSH_SUBSCRIPTIONS,
} from '@brickmark/core/webhook/push-subscription-commands'
import { findPushSubscriptions } from '@brickmark/core/webhook/push-subscription-queries'
import { findDeviceHash } from '../../host/auth-hooks.ts'
import { describeUserAgent } from '../account/user-agent.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { parseId } from '../request/input.server.ts'
import { parseEndpointUrl } from '../webhook/webhooks.server.ts'

type Context = Readonly<RouterContextProvider>

const MAX_CLIENT_LENGTH = 300
const AUTH_BYTES = 16

/** Loads the browsers that get the account's alerts; undefined if the operator hasn't set up push notifications. */
export async function loadPush(context: Context) {
  const { accountId } = requireUser(context)
  const { db, config } = getServices(context)
  if (config.vapidPublicKey === undefined) return undefined
  const subscriptions = await readAs(db, accountId, (tx) => findPushSubscriptions(tx, accountId))
  return {
    publicKey: config.vapidPublicKey,
    max: MAX_PUSH_SUBSCRIPTIONS,
    browsers: subscriptions.map(({ id, url, client, createdAt, lastSuccessAt }) => ({
      id,
      url,
      name: describeUserAgent(client),
      addedAt: createdAt.toISOString(),
      lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    })),
  }
}

export const PUSH_INTENTS = new Set(['push-on', 'push-off', 'push-test'])

/** Turns notifications on for the browser that asks, off for any, or sends a test to one. */
export async function changePush(context: Context, request: Request, field: (name: string) => string) {
  const { accountId } = requireUser(context)
  const { db, config, rateLimits } = getServices(context)
  if (config.vapidPublicKey === undefined) return pushError('Push notifications aren’t set up on this server.', 404)
  const intent = field('intent')
  if (intent === 'push-on') return turnOn(context, request, field)
  const id = parseId(field('browser'))
  if (intent === 'push-test' && (await rateLimits.webhookTests.take(accountId)) > 0)
    return pushError('You can send 20 tests an hour. Try again later.', 429)
  await writeAs(db, accountId, async (tx) => {
    const isOwn = (await findPushSubscriptions(tx, accountId)).some((browser) => browser.id === id)
    if (!isOwn) return
    if (intent === 'push-off') await deletePushSubscription(tx, accountId, id)
    if (intent === 'push-test') await sendTestEvent(tx, accountId, id)
  })
  return redirect(intent === 'push-test' ? '/alerts/email?tested' : '/alerts/email')
}

function pushError(message: string, status = 400) {
  return data({ pushError: message }, status)
}

async function turnOn(context: Context, request: Request, field: (name: string) => string) {
  const { accountId } = requireUser(context)
  const { db, auth, config } = getServices(context)
  const url = parseEndpointUrl(field('endpoint'), config.publicUrl.startsWith('https:'))
  const keys = parseKeys(field('p256dh'), field('auth'))
  if (url === undefined || keys === undefined) return pushError('This browser’s subscription isn’t valid. Try again.')
  const client = (request.headers.get('user-agent') ?? '').slice(0, MAX_CLIENT_LENGTH)
  const deviceHash = await findDeviceHash(auth, request.headers)
  const isAdded = await writeAs(db, accountId, (tx) =>
    addPushSubscription(tx, accountId, { url, ...keys, client, deviceHash }),
  )
  return isAdded
    ? redirect('/alerts/email')
    : pushError(`You can have ${MAX_PUSH_SUBSCRIPTIONS} browsers. Turn one off to add this one.`)
}

/** Returns the keys that messages to a browser are encrypted with, or undefined if nothing can be. */
function parseKeys(p256dhText: string, authText: string): { p256dh: Buffer; auth: Buffer } | undefined {
  const [p256dh, auth] = [p256dhText, authText].map((text) => Buffer.from(text, 'base64url')) as [Buffer, Buffer]
  return isPoint(p256dh) && auth.length === AUTH_BYTES ? { p256dh, auth } : undefined
}

/** Whether this is an uncompressed point on the curve of public keys. */
function isPoint(key: Buffer): boolean {
  try {
    return (ECDH.convertKey(key, 'prime256v1', undefined, undefined, 'uncompressed') as Buffer).equals(key)
  } catch {
    return false
  }
}

import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { AlertEvent } from '@brickmark/core/webhook/event'
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from '../src/webhooks.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const EVENT: WebhookEvent = {
  type: 'alert.price_at_most',
  timestamp: '2026-06-01T12:00:00.000Z',
  data: {
    alert_id: 7,
    rule_id: 3,
    item_kind: 'set',
    item_number: '90001-1',
    title: 'Tidewater Lighthouse',
    retailer: 'retailer_a',
    retailer_name: 'Retailer A',
    reason: '$39.99 ≤ your $42.00 at Retailer A',
    price_usd: 39.99,
    value_usd: null,
    previous_usd: 50,
    threshold_usd: 42,
    threshold_pct: null,
    actual_pct: null,
  },
}
const BODY = JSON.stringify(EVENT)

/** Headers as the reference implementation signs them. */
function sign({ at = new Date(), secret = SECRET, body = BODY } = {}): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  }
}

test('returns the event of a signed message, whatever kind of headers and body a server has', async () => {
  expect(await verifyWebhook(BODY, sign(), SECRET)).toEqual(EVENT)
  expect(await verifyWebhook(BODY, new Headers(sign()), SECRET)).toEqual(EVENT)
  expect(await verifyWebhook(Buffer.from(BODY), sign(), SECRET)).toEqual(EVENT)
  // The types of the SDK are those of the service.
  expect(AlertEvent.parse(EVENT)).toEqual(EVENT)
})

test('accepts any of several signatures, as during a rotation', async () => {
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
  const headers = sign()
  headers['webhook-signature'] =
    `v1a,unknown ${sign({ secret: other })['webhook-signature']} ${headers['webhook-signature']}`
  expect(await verifyWebhook(BODY, headers, SECRET)).toEqual(EVENT)
})

describe('rejects', () => {
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

  test.each([
    ['a changed body', `${BODY} `, sign(), 'No signature matches'],
    ['another secret', BODY, sign({ secret: `whsec_${Buffer.alloc(32, 8).toString('base64')}` }), 'No signature'],
    ['another id', BODY, { ...sign(), 'webhook-id': 'msg_2' }, 'No signature matches'],
    ['an old message', BODY, sign({ at: ago(1000) }), 'too old'],
    ['a message from the future', BODY, sign({ at: ago(-1000) }), 'too old'],
    ['a time that isn’t one', BODY, { ...sign(), 'webhook-timestamp': 'soon' }, 'too old'],
    ['a signature that isn’t one', BODY, { ...sign(), 'webhook-signature': 'v1,%%%' }, 'No signature matches'],
    ['a request without headers', BODY, {}, 'headers are missing'],
  ])('%s', async (_, body, headers, reason) => {
    const verifying = verifyWebhook(body, headers, SECRET)
    await expect(verifying).rejects.toThrow(WebhookVerificationError)
    await expect(verifying).rejects.toThrow(reason)
  })

  test('a secret that isn’t one', async () => {
    await expect(verifyWebhook(BODY, sign(), 'whsec_%')).rejects.toThrow(TypeError)
  })
})

test('the tolerance can be changed', async () => {
  const headers = sign({ at: new Date(Date.now() - 1000_000) })
  expect(await verifyWebhook(BODY, headers, SECRET, { toleranceSeconds: 2000 })).toEqual(EVENT)
})

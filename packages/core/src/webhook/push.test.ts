import { createECDH } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { WebhookEvent } from './event.ts'
import { isGone, isTooOld, pushOutcomeOf, toNotification } from './push.ts'
import { isVapidPair, VapidPrivateKey, VapidPublicKey, VapidSubject } from './vapid-keys.ts'

const AT = new Date('2026-06-01T12:00:00Z')
const MAX_PAYLOAD_BYTES = 3993

const alert = (title: string, id = 1): WebhookEvent => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  at: AT,
  type: 'alert.price_at_most',
  data: {
    alert_id: id,
    rule_id: 3,
    item_kind: 'set',
    item_number: '90001-1',
    title,
    retailer: 'retailer_a',
    retailer_name: 'Retailer A',
    facts: { threshold: 4200, price: 3999 },
  },
})
const testEvent: WebhookEvent = { ...alert('', 9), type: 'test', data: {} }

describe('notifications', () => {
  test('of one alert link to its item, those of several to the inbox', () => {
    expect(toNotification([alert('Fish & Chips')])).toEqual({
      title: 'Fish & Chips',
      body: '$39.99 ≤ your $42.00 at Retailer A',
      path: '/set/90001-1',
      tag: 'msg_00000000000040008000000000000001',
    })
    expect(toNotification([alert('Fish'), alert('Chips', 2), alert('Fish', 3)])).toEqual({
      title: '3 alerts',
      body: 'Fish, Chips',
      path: '/alerts',
      tag: 'msg_00000000000040008000000000000003',
    })
  })

  test('of a test say so, unless there are alerts, too', () => {
    expect(toNotification([testEvent]).body).toBe('This is a test. Your alerts will arrive here.')
    expect(toNotification([testEvent, alert('Fish')]).title).toBe('Fish')
  })

  test.each(['x'.repeat(10_000), '🧱'.repeat(10_000), '"\\'.repeat(10_000), '積'.repeat(10_000)])(
    'fit into the 4 KB that push services accept',
    (title) => {
      for (const events of [[alert(title)], [alert(title), alert(`${title}!`, 2)]])
        expect(Buffer.byteLength(JSON.stringify(toNotification(events)))).toBeLessThan(MAX_PAYLOAD_BYTES)
    },
  )
})

describe('what follows from an attempt', () => {
  const attempt = (statusCode: number | null, retryAfterMs: number | null = null) => ({
    at: AT,
    durationMs: 1,
    statusCode,
    response: '',
    retryAfterMs,
  })
  const hoursAgo = (hours: number) => new Date(AT.getTime() - hours * 3_600_000)

  test.each<[number | null, number | null, number, object]>([
    [201, null, 0, { status: 'delivered' }],
    [503, null, 0, { status: 'waiting', retryInSeconds: 5 }],
    [503, 1000, 0, { status: 'waiting', retryInSeconds: 5 }],
    [429, 120_000, 0, { status: 'waiting', retryInSeconds: 120 }],
    [429, 90_000_000, 0, { status: 'failed' }],
    [null, null, 23.9, { status: 'waiting', retryInSeconds: 5 }],
    [null, null, 24, { status: 'failed' }],
  ])('status %s, Retry-After %s ms, %s hours old', (statusCode, retryAfterMs, age, outcome) => {
    const delivery = { at: hoursAgo(age), attempts: 0 }
    expect(pushOutcomeOf(attempt(statusCode, retryAfterMs), delivery, () => 0)).toEqual(outcome)
  })

  test('an event is too old after a day', () => {
    expect([23.99, 24].map((hours) => isTooOld({ at: hoursAgo(hours) }, AT))).toEqual([false, true])
  })

  test('only 404 and 410 mean that a subscription is gone', () => {
    expect([null, 201, 400, 403, 404, 410, 429, 500].filter(isGone)).toEqual([404, 410])
  })
})

describe('keys', () => {
  const pair = createECDH('prime256v1')
  const other = createECDH('prime256v1')
  pair.setPrivateKey('01'.repeat(32), 'hex')
  other.setPrivateKey('02'.repeat(32), 'hex')
  const publicKey = pair.getPublicKey('base64url')
  const privateKey = pair.getPrivateKey('base64url')

  test('are recognized, and must belong together', () => {
    expect([VapidPublicKey.safeParse(publicKey).success, VapidPrivateKey.safeParse(privateKey).success]).toEqual([
      true,
      true,
    ])
    expect([VapidPublicKey.safeParse(privateKey).success, VapidPrivateKey.safeParse(publicKey).success]).toEqual([
      false,
      false,
    ])
    expect(isVapidPair(publicKey, privateKey)).toBe(true)
    expect(isVapidPair(publicKey, other.getPrivateKey('base64url'))).toBe(false)
    expect(isVapidPair(publicKey, '_'.repeat(43))).toBe(false)
  })

  test.each([
    ['mailto:ops@example.com', true],
    ['https://example.com/contact', true],
    ['ops@example.com', false],
    ['http://example.com', false],
  ])('subject %s', (subject, isValid) => {
    expect(VapidSubject.safeParse(subject).success).toBe(isValid)
  })
})

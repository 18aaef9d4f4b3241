import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { outcomeOf, type Attempt } from './delivery.ts'
import { AlertEvent, TestEvent, toEventBody } from './event.ts'
import { toMessage } from './message.ts'
import { deriveSecret, messageId, signedHeaders } from './signature.ts'

const KEY = 'k'.repeat(32)
const secretOf = (salt: string) => deriveSecret(KEY, Buffer.from(salt))

describe('signatures', () => {
  const message = { id: messageId('00000000-0000-4000-8000-000000000001'), body: '{"type":"test"}', at: new Date() }

  test('are accepted by the reference implementation, with either secret during a rotation', () => {
    const headers = signedHeaders(message, [secretOf('new'), secretOf('old')])
    for (const salt of ['new', 'old'])
      expect(new Webhook(secretOf(salt)).verify(message.body, headers)).toEqual({ type: 'test' })
    expect(() => new Webhook(secretOf('other')).verify(message.body, headers)).toThrow('No matching signature')
    expect(() => new Webhook(secretOf('new')).verify(`${message.body} `, headers)).toThrow('No matching signature')
  })

  test('depend on the key and on the endpoint', () => {
    const secrets = [secretOf('a'), secretOf('b'), deriveSecret('x'.repeat(32), Buffer.from('a'))]
    expect(new Set(secrets).size).toBe(3)
    expect(secretOf('a')).toMatch(/^whsec_[\w+/]{43}=$/)
  })
})

describe('what follows from an attempt', () => {
  const attempt = (statusCode: number | null): Attempt => ({ at: new Date(), durationMs: 1, statusCode, response: '' })

  test('the schedule of the specification, then failure', () => {
    const delays = Array.from({ length: 10 }, (_, earlier) => outcomeOf(attempt(500), earlier, () => 0)).map(
      (outcome) => (outcome.status === 'waiting' ? outcome.retryInSeconds : outcome.status),
    )
    expect(delays).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 'failed'])
    expect(outcomeOf(attempt(500), 0, () => 1)).toEqual({ status: 'waiting', retryInSeconds: 5.5 })
  })

  test.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [301, 'waiting'],
    [404, 'waiting'],
    [410, 'failed'],
    [500, 'waiting'],
    [null, 'waiting'],
  ])('status %s', (statusCode, status) => {
    expect(outcomeOf(attempt(statusCode), 0).status).toBe(status)
  })
})

describe('bodies', () => {
  const at = new Date('2026-06-01T12:00:00Z')

  test('of an alert have dollars and percent, and null for what doesn’t apply', () => {
    const body = toEventBody({
      id: '00000000-0000-4000-8000-000000000001',
      at,
      type: 'alert.below_value',
      data: {
        alert_id: 7,
        rule_id: 3,
        item_kind: 'set',
        item_number: '90001-1',
        title: 'Tidewater Lighthouse',
        retailer: 'retailer_a',
        retailer_name: 'Retailer A',
        facts: { threshold: 2000, price: 4000, value: 5220, percent: 2337 },
      },
    })
    expect(AlertEvent.parse(body)).toEqual({
      type: 'alert.below_value',
      timestamp: '2026-06-01T12:00:00.000Z',
      data: {
        alert_id: 7,
        rule_id: 3,
        item_kind: 'set',
        item_number: '90001-1',
        title: 'Tidewater Lighthouse',
        retailer: 'retailer_a',
        retailer_name: 'Retailer A',
        reason: '$40.00 at Retailer A, 23.4% below its value of $52.20 from recent sales',
        price_usd: 40,
        value_usd: 52.2,
        previous_usd: null,
        threshold_usd: null,
        threshold_pct: 20,
        actual_pct: 23.37,
      },
    })
  })

  test('are messages for people where a chat reads them', () => {
    const facts = { threshold: 4200, price: 3999 }
    const item = { item_kind: 'set' as const, item_number: '90001-1', title: 'Fish & <@Chips>' }
    const data = { alert_id: 7, rule_id: 3, ...item, retailer: 'retailer_a', retailer_name: 'Retailer A', facts }
    const event = { id: '00000000-0000-4000-8000-000000000001', at, type: 'alert.price_at_most', data }
    const reason = '$39.99 ≤ your $42.00 at Retailer A'
    const discord = 'https://discord.com/api/webhooks/1/secret'
    expect(toMessage(event, discord)).toEqual({
      url: discord,
      body: {
        username: 'Brickmark',
        embeds: [{ title: 'Fish & <@Chips> (90001-1)', description: reason, timestamp: at.toISOString() }],
        allowed_mentions: { parse: [] },
      },
    })
    const slack = 'https://hooks.slack.com/services/T0/B0/secret'
    expect(toMessage(event, slack)).toEqual({
      url: slack,
      body: { text: `*Fish &amp; &lt;@Chips&gt; (90001-1)*\n${reason}` },
    })
    expect(toMessage(event, 'https://ntfy.sh/my-bricks?auth=x')).toEqual({
      url: 'https://ntfy.sh/?auth=x',
      body: { topic: 'my-bricks', title: 'Fish & <@Chips> (90001-1)', message: reason },
    })
    expect(toMessage({ ...event, type: 'test', data: {} }, 'https://ntfy.example.com/bricks').body).toMatchObject({
      message: 'This is a test. Your alerts will arrive here.',
    })
  })

  test.each([
    'https://example.com/api/webhooks/1',
    'https://discord.com.example.com/api/webhooks/1',
    'https://discord.com/channels/1',
    'https://notify.example.com/topic',
    'https://ntfy.sh/a/b',
    'https://ntfy.sh/',
    'https://example.com/?hooks.slack.com',
  ])('of %s are events', (url) => {
    const event = { id: '00000000-0000-4000-8000-000000000001', at, type: 'test', data: {} }
    expect(toMessage(event, url)).toEqual({ url, body: toEventBody(event) })
  })

  test('of a test event are empty', () => {
    const body = toEventBody({ id: '00000000-0000-4000-8000-000000000001', at, type: 'test', data: {} })
    expect(TestEvent.parse(body).data).toEqual({})
  })
})

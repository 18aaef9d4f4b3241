import { z } from 'zod'
import { describeAlert } from '../alert/alert-text.ts'
import { alertAmounts, RULE_KINDS, type AlertFacts, type RuleKind } from '../alert/rule.ts'

/** An event as it is stored. */
export type WebhookEvent = { id: string; at: Date; type: string; data: AlertEventData | Record<string, never> }

type AlertEventData = {
  alert_id: number
  rule_id: number
  item_kind: 'set' | 'minifig'
  item_number: string
  title: string
  retailer: string | null
  retailer_name: string | null
  facts: AlertFacts
}

export const TEST_EVENT = 'test'

/** Every type of event. */
export const EVENT_TYPES = [...RULE_KINDS.map((kind) => `alert.${kind}` as const), TEST_EVENT] as const

const Money = z.number().nullable()

/** The body of a message about an alert. Money is in US dollars, percentages have two decimals, and unknown is null. */
export const AlertEvent = z.strictObject({
  type: z.enum(RULE_KINDS.map((kind) => `alert.${kind}` as const)),
  timestamp: z.iso.datetime(),
  data: z.strictObject({
    alert_id: z.int(),
    rule_id: z.int(),
    item_kind: z.enum(['set', 'minifig']),
    item_number: z.string(),
    title: z.string(),
    retailer: z.string().nullable(),
    retailer_name: z.string().nullable(),
    reason: z.string(),
    price_usd: Money,
    value_usd: Money,
    previous_usd: Money,
    threshold_usd: Money,
    threshold_pct: z.number().nullable(),
    actual_pct: z.number().nullable(),
  }),
})

export const TestEvent = z.strictObject({
  type: z.literal(TEST_EVENT),
  timestamp: z.iso.datetime(),
  data: z.strictObject({}),
})

export type EventBody = z.infer<typeof AlertEvent> | z.infer<typeof TestEvent>

/** Returns the body of a message. It is the same however often the event is sent. */
export function toEventBody({ type, at, data }: WebhookEvent): EventBody {
  const timestamp = at.toISOString()
  if (!isAlert(data)) return { type: TEST_EVENT, timestamp, data: {} }
  const kind = type.slice('alert.'.length) as RuleKind
  const { facts, retailer, retailer_name } = data
  return {
    type: `alert.${kind}`,
    timestamp,
    data: {
      alert_id: data.alert_id,
      rule_id: data.rule_id,
      item_kind: data.item_kind,
      item_number: data.item_number,
      title: data.title,
      retailer,
      retailer_name,
      reason: describeAlert({ kind, retailer: retailer_name, facts }),
      ...alertAmounts(kind, facts),
    },
  }
}

function isAlert(data: WebhookEvent['data']): data is AlertEventData {
  return 'alert_id' in data
}

import { z } from 'zod'
import { countAlerts, findAlerts, type Alert } from '@brickmark/core/alert/alert-queries'
import { describeAlert } from '@brickmark/core/alert/alert-text'
import { alertAmounts, RULE_KINDS } from '@brickmark/core/alert/rule'
import { readAs } from '@brickmark/core/db/database'
import { defineEndpoint } from '../../endpoint.ts'
import {
  booleanField,
  enumField,
  integerField,
  nullableNumberField,
  nullableStringField,
  openEnumField,
  stringField,
  timestampField,
} from '../../schemas/fields.ts'
import { PaginationSchema, serializePagination } from '../../schemas/pagination.ts'
import { EmptyParams, paginationParams } from '../../schemas/parameters.ts'

const AlertSchema = z
  .strictObject({
    id: integerField('Alert ID.', 9120),
    created_at: timestampField('When it was created.', '2026-06-27T09:31:00.000Z'),
    kind: openEnumField([...RULE_KINDS], 'Kind of the rule.', 'price_at_most'),
    item: enumField(['set', 'minifig'], 'What it is about.', 'set'),
    number: stringField('Set or minifig number.', '90001-1'),
    title: stringField('Title.', 'Tidewater Lighthouse'),
    retailer: nullableStringField('Name of the retailer; null if it isn’t about a price.', 'Retailer A'),
    reason: stringField('Why there is an alert. The wording may change.', '$79.99 ≤ your $80.00 at Retailer A'),
    price_usd: nullableNumberField('Price at the time.', 79.99),
    value_usd: nullableNumberField('Value at the time.', null),
    previous_usd: nullableNumberField('What it was before.', 84.99),
    threshold_usd: nullableNumberField('Threshold of the rule, if it is an amount.', 80),
    threshold_pct: nullableNumberField('Threshold of the rule, if it is a percentage.', null),
    actual_pct: nullableNumberField('What was compared with `threshold_pct`.', null),
    read: booleanField('Whether it has been read on the website.', false),
  })
  .meta({ id: 'Alert', description: 'An alert of one of your rules, with the amounts it was about.' })

/** GET /alerts: the caller's alerts, as on the website. */
export const alerts = defineEndpoint({
  method: 'GET',
  path: '/alerts',
  operationId: 'listAlerts',
  readsAccountData: true,
  tag: 'Portfolio',
  summary: 'List your alerts',
  description: 'Lists your alerts of the last 90 days, latest first. To receive them at once, use a webhook.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject(paginationParams),
  data: z
    .strictObject({
      alerts: z.array(AlertSchema).meta({ description: 'Latest first.' }),
      pagination: PaginationSchema,
    })
    .meta({ id: 'AlertsData', description: 'A page of alerts.' }),
  example: {
    alerts: [
      {
        id: 9120,
        created_at: '2026-06-27T09:31:00.000Z',
        kind: 'price_at_most',
        item: 'set',
        number: '90001-1',
        title: 'Tidewater Lighthouse',
        retailer: 'Retailer A',
        reason: '$79.99 ≤ your $80.00 at Retailer A',
        price_usd: 79.99,
        value_usd: null,
        previous_usd: 84.99,
        threshold_usd: 80,
        threshold_pct: null,
        actual_pct: null,
        read: false,
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false },
  },
  async handle({ db }, { query, accountId }) {
    const [page, total] = await readAs(db, accountId, (transaction) =>
      Promise.all([findAlerts(transaction, accountId, query), countAlerts(transaction, accountId)]),
    )
    return {
      alerts: page.alerts.map((alert) => serializeAlert(alert, page.readTo)),
      pagination: serializePagination(total, query),
    }
  },
})

function serializeAlert(
  { id, at, kind, itemKind, itemNumber, title, retailer, facts }: Alert,
  readTo: number,
): z.output<typeof AlertSchema> {
  return {
    id,
    created_at: at.toISOString(),
    kind,
    item: itemKind,
    number: itemNumber,
    title,
    retailer,
    reason: describeAlert({ kind, retailer, facts }),
    ...alertAmounts(kind, facts),
    read: id <= readTo,
  }
}

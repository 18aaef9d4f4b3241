import { z } from 'zod'
import { findKeyUsage } from '@brickmark/core/account/key-usage-queries'
import type { Database } from '@brickmark/core/db/database'
import { dayNumber, formatDay, utcDayOf } from '@brickmark/core/primitives/calendar'
import { defineEndpoint } from '../../endpoint.ts'
import { dateField, integerField, stringField, timestampField } from '../../schemas/fields.ts'
import { EmptyParams, integerParam } from '../../schemas/parameters.ts'

const EndpointUsageSchema = z
  .strictObject({
    endpoint: stringField('Path of the endpoint.', '/set/{number}'),
    requests: integerField('Number of requests.', 104),
  })
  .meta({ id: 'EndpointUsage', description: 'Requests to one endpoint.' })

const UsageDaySchema = z
  .strictObject({
    date: dateField('Day (UTC).', '2026-06-27'),
    credits: integerField('Credits used.', 113),
    requests: integerField('Number of requests, including those that failed.', 115),
    failed: integerField('Requests that returned an error.', 2),
    endpoints: z.array(EndpointUsageSchema).meta({ description: 'Most requests first.' }),
  })
  .meta({ id: 'UsageDay', description: 'Usage of this API key on one day.' })

const DAYS = 30
const KEPT_MS = 1000

type Usage = Awaited<ReturnType<typeof findKeyUsage>>
const reads = new WeakMap<Database, Map<number, Promise<Usage>>>()

/** Reads the usage of a key at most once a second, because the endpoint is free. */
function readUsage(db: Database, accountId: number, keyId: number, now: Date): Promise<Usage> {
  const byKey = reads.get(db) ?? new Map<number, Promise<Usage>>()
  reads.set(db, byKey)
  const known = byKey.get(keyId)
  if (known) return known
  const reading = findKeyUsage(db, accountId, keyId, formatDay(utcDayOf(now) - DAYS + 1))
  byKey.set(keyId, reading)
  const forget = () => setTimeout(() => byKey.delete(keyId), KEPT_MS).unref()
  reading.then(forget, forget)
  return reading
}

/** GET /usage: what the caller's key has used. Free, so that clients needn't send an invalid request to see their quota. */
export const usage = defineEndpoint({
  method: 'GET',
  path: '/usage',
  operationId: 'getUsage',
  tag: 'Usage',
  readsAccountData: true,
  summary: 'Get usage',
  description:
    'Returns what this API key has used: credits up to one second late, requests up to ten. Free, also when the quota is used up.',
  cost: 0,
  params: EmptyParams,
  query: z.strictObject({
    days: integerParam({
      min: 1,
      max: DAYS,
      default: DAYS,
      description: 'Number of days, including today.',
      example: 7,
    }).default(DAYS),
  }),
  data: z
    .strictObject({
      limit: integerField('Daily quota of this API key, in credits.', 1000),
      used: integerField('Credits used today.', 113),
      remaining: integerField('Credits remaining until the reset.', 887),
      reset: timestampField('When the quota resets (midnight UTC).', '2026-06-28T00:00:00.000Z'),
      days: z
        .array(UsageDaySchema)
        .meta({ description: 'Oldest first. Days without usage are left out, except today.' }),
    })
    .meta({ id: 'UsageData', description: 'Usage of this API key.' }),
  example: {
    limit: 1000,
    used: 113,
    remaining: 887,
    reset: '2026-06-28T00:00:00.000Z',
    days: [
      {
        date: '2026-06-27',
        credits: 113,
        requests: 115,
        failed: 2,
        endpoints: [
          { endpoint: '/set/{number}', requests: 104 },
          { endpoint: '/brickfolio/entries', requests: 11 },
        ],
      },
    ],
  },
  async handle({ db }, { query, accountId, keyId, now }) {
    const { limit, days: all } = await readUsage(db, accountId, keyId, now)
    // The day of the database, which may begin a moment earlier or later than here.
    const today = dayNumber(all.at(-1)!.day)
    const days = all.filter(({ day }) => dayNumber(day) > today - query.days)
    const { used } = all.at(-1)!
    return {
      limit,
      used,
      remaining: Math.max(0, limit - used),
      reset: new Date(`${formatDay(today + 1)}T00:00:00Z`).toISOString(),
      days: days.map(({ day, used, requests, failed, endpoints }) => ({
        date: day,
        credits: used,
        requests,
        failed,
        endpoints: endpoints.map(([endpoint, count]) => ({ endpoint, requests: count })),
      })),
    }
  },
})

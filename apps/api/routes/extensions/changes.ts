import { z } from 'zod'
import { findChangeNotices, findCurrentCursor, isAhead, type Cursor } from '@brickmark/core/alert/change-queries'
import { readAs, type Database } from '@brickmark/core/db/database'
import { badRequest } from '../../errors.ts'
import { defineEndpoint } from '../../endpoint.ts'
import { booleanField, enumField, openEnumField, stringField, timestampField } from '../../schemas/fields.ts'
import { EmptyParams, integerParam, stringParam } from '../../schemas/parameters.ts'

const ChangeSchema = z
  .strictObject({
    kind: openEnumField(['value', 'retail', 'status'], 'What changed: a value, a retail price or the status.', 'value'),
    item: enumField(['set', 'minifig'], 'Whether the number is of a set or of a minifig.', 'set'),
    number: stringField('Number of the set or minifig.', '90001-1'),
    changed_at: timestampField('When it changed.', '2026-06-27T03:10:00.000Z'),
  })
  .meta({ id: 'Change', description: 'That an item changed. Use `POST /catalog/batch` for what it is now.' })

/** Changes are kept for 30 days. A position expires a day earlier. */
const KEPT_MS = 29 * 86_400_000

/** A standby that lags further behind isn't read from. */
const MAX_AHEAD_MS = 5 * 60_000

const CURSOR = /^([\da-f]{1,16})-([\da-f]{1,13})-([\da-f]{1,8})$/
const EXAMPLE_CURSOR = '7f3a-1c2-6a3f52c0'

/** GET /changes: which items changed since the last call, so that clients needn't read the whole catalog again. */
export const changes = defineEndpoint({
  method: 'GET',
  path: '/changes',
  operationId: 'listChanges',
  tag: 'Catalog',
  readsAccountData: true,
  summary: 'List changes',
  description:
    'Lists the sets and minifigs whose value, retail price or status changed, oldest first, one to two minutes after the change. Start without `after`, load what you need, then pass the `next` of each response as `after` of the following request: nothing is left out. Changes are kept for 29 days.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject({
    after: stringParam(
      'The `next` of the previous response. Without it, you get the current position and no changes.',
      64,
    )
      .regex(CURSOR, 'must be the `next` of an earlier response')
      .meta({ example: EXAMPLE_CURSOR })
      .optional(),
    limit: integerParam({
      min: 1,
      max: 1000,
      default: 1000,
      description: 'Maximum number of changes.',
      example: 250,
    }).default(1000),
  }),
  data: z
    .strictObject({
      changes: z.array(ChangeSchema).meta({ description: 'Oldest first. An item may appear several times.' }),
      next: stringField('Position after these changes. Treat it as opaque.', EXAMPLE_CURSOR),
      has_more: booleanField('Whether there are more changes now.', false),
    })
    .meta({ id: 'ChangesData', description: 'A page of changes.' }),
  example: {
    changes: [{ kind: 'value', item: 'set', number: '90001-1', changed_at: '2026-06-27T03:10:00.000Z' }],
    next: EXAMPLE_CURSOR,
    has_more: false,
  },
  async handle({ db }, { query, accountId, now }) {
    // Nothing here belongs to the account, but its requests take turns with those of others.
    const read = <T>(work: (transaction: Database) => Promise<T>) => readAs(db, accountId, work)
    if (query.after === undefined)
      return { changes: [], next: formatCursor(await read(findCurrentCursor), now), has_more: false }
    const { cursor: start, age } = parseCursor(query.after, now)
    const page = await read((transaction) => findChangeNotices(transaction, start, query.limit, now))
    const { notices, cursor, hasMore } = page
    if (notices.length === 0 && (await read((transaction) => isAhead(transaction, start)))) {
      if (age > MAX_AHEAD_MS)
        badRequest('`after` is unknown to the service. Start again without it, and load what you need.')
      return { changes: [], next: query.after, has_more: false }
    }
    return {
      changes: notices.map(({ kind, itemKind, itemNumber, at }) => ({
        kind,
        item: itemKind,
        number: itemNumber,
        changed_at: at.toISOString(),
      })),
      next: formatCursor(cursor, notices.at(-1)?.at ?? now),
      has_more: hasMore,
    }
  },
})

/** Includes a time before which the reader has seen everything, to tell when it is too far behind. */
function formatCursor({ transactionId, changeId }: Cursor, at: Date): string {
  return [BigInt(transactionId), changeId, Math.floor(at.getTime() / 1000)].map((part) => part.toString(16)).join('-')
}

function parseCursor(text: string, now: Date): { cursor: Cursor; age: number } {
  const [, transactionId, changeId, at] = CURSOR.exec(text)!
  const age = now.getTime() - parseInt(at!, 16) * 1000
  if (age > KEPT_MS) badRequest('`after` is more than 29 days old. Start again without it, and load what you need.')
  const cursor = { transactionId: BigInt(`0x${transactionId}`).toString(), changeId: parseInt(changeId!, 16) }
  return { cursor, age }
}

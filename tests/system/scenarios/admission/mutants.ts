import type { Mutant } from '../../harness/mutant.ts'

const CHARGE = 'packages/core/migrations/0007-account.sql'
const LEAST = 'greatest(0, least(excluded.last_count, (excluded.daily_limit - q.used) / excluded.last_cost))'

export const admissionMutants: Mutant[] = [
  {
    name: 'read-then-write',
    description: 'computes the charge from a value read before the row was locked',
    edits: [
      {
        file: CHARGE,
        find: 'today, r.cost * least(r.count, r.daily_limit / r.cost), r.daily_limit,',
        replace: 'today, r.used + r.cost * least(r.count, (r.daily_limit - r.used) / r.cost), r.daily_limit,',
      },
      {
        file: CHARGE,
        find: 'r.cost, r.count, least(r.count, r.daily_limit / r.cost)\n',
        replace: 'r.cost, r.count, least(r.count, (r.daily_limit - r.used) / r.cost)\n',
      },
      {
        file: CHARGE,
        find: `else q.used + excluded.last_cost\n                    * ${LEAST} end,`,
        replace: 'else excluded.used end,',
      },
      { file: CHARGE, find: `else ${LEAST} end,`, replace: 'else excluded.last_granted end,' },
    ],
  },
  {
    name: 'double-grant',
    description: 'calls charged in one statement all report the first call’s remaining',
    edits: [{ file: 'packages/core/src/account/quota.ts', find: '(granted - 1 - index)', replace: '(granted - 1)' }],
  },
  {
    name: 'charge-400',
    description: 'charges one credit for a bad request',
    edits: [
      {
        file: 'apps/api/request-handler.ts',
        find: '.admit(key, 0, startedAtMs(reply.request))',
        replace: '.admit(key, 1, startedAtMs(reply.request))',
      },
    ],
  },
  {
    name: 'batch-partial',
    description: 'charges a batch in two halves, of which the second may be rejected',
    edits: [
      {
        file: 'apps/api/request-handler.ts',
        find: 'apiContext.admission.submit(request.key!, cost, startedAt, (outcome) => {',
        replace: `apiContext.admission.submit(request.key!, Math.floor(cost / 2), startedAt, () => {})
    apiContext.admission.submit(request.key!, Math.ceil(cost / 2), startedAt, (outcome) => {`,
      },
    ],
  },
  {
    name: 'refuse-last',
    description: 'rejects the call that would use the last credit of the day',
    edits: [
      {
        file: CHARGE,
        find: 'when coalesce(q.used, 0) + r.cost > p.daily_limit and',
        replace: 'when coalesce(q.used, 0) + r.cost >= p.daily_limit and',
      },
    ],
  },
  {
    name: 'refund',
    description: 'reports a 404 as free although it was charged',
    edits: [
      {
        file: 'apps/api/request-handler.ts',
        find: 'sendError(reply, result, quota)',
        replace: 'sendError(reply, result, { ...quota, remaining: quota.remaining + cost })',
      },
    ],
  },
]

import { Link } from 'react-router'
import { Badge } from './badge.tsx'
import { Card } from './card.tsx'

type Plan = { name: string; apiAccess: boolean; dailyLimit: number }

export type PlanFacts = {
  plan: Plan
  others: Plan[]
  activeKeys: number
  /** Units of all keys, today in UTC. */
  usedToday: number
  /** Units of the key that used most. */
  mostUsed: number
  /** Whom to write to; null when the operator names nobody. */
  contactEmail: string | null
}

const KEYS_AT_MOST = 5

/** The plan in plain words: what it allows, what is used, what another would give, and whom to ask. */
export function PlanCard({ plan, others, activeKeys, usedToday, mostUsed, contactEmail }: PlanFacts) {
  return (
    <Card title="Plan" actions={<Badge tone="accent">{inTitleCase(plan.name)}</Badge>}>
      <p className="max-w-prose">
        Your account is on the plan {inTitleCase(plan.name)}. Collections, imports, sales and everything else in this
        application are yours without limit. {ofTheApi(plan)}
      </p>
      <p className="mt-2 max-w-prose">
        {plan.apiAccess ? (
          <>
            Today your keys have used {units(usedToday)} in all; the one that used most has used{' '}
            {mostUsed.toLocaleString('en-US')} of {plan.dailyLimit.toLocaleString('en-US')}. You have {activeKeys} of{' '}
            {KEYS_AT_MOST} keys. <Link to="/usage">See the last 30 days</Link>
          </>
        ) : (
          `You have ${activeKeys} of ${KEYS_AT_MOST} keys; none of them gets an answer on this plan.`
        )}
      </p>
      {others.map((other) => (
        <p key={other.name} className="mt-2 max-w-prose">
          The plan {inTitleCase(other.name)} would change this: {difference(plan, other)}
        </p>
      ))}
      <p className="mt-3 max-w-prose text-ink-soft">
        Nothing is paid for here, and nothing changes by itself.{' '}
        {contactEmail === null ? (
          'For another plan, ask whoever runs this service for you.'
        ) : (
          <>
            For another plan, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
          </>
        )}
      </p>
    </Card>
  )
}

export function inTitleCase(plan: string): string {
  return plan.slice(0, 1).toUpperCase() + plan.slice(1)
}

function units(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'unit' : 'units'}`
}

function ofTheApi({ apiAccess, dailyLimit }: Plan): string {
  return apiAccess
    ? `Scripts and sheets may read through the API: each key ${units(dailyLimit)} a day, counted anew at midnight UTC.`
    : 'It has no access to the API: scripts and sheets are answered 403.'
}

function difference(now: Plan, other: Plan): string {
  if (other.apiAccess && !now.apiAccess) return `the API answers, each key up to ${units(other.dailyLimit)} a day.`
  if (!other.apiAccess && now.apiAccess) return 'the API no longer answers; your keys stay, and so does all else.'
  if (other.dailyLimit === now.dailyLimit) return 'nothing but the name.'
  return `each key may use ${units(other.dailyLimit)} a day instead of ${now.dailyLimit.toLocaleString('en-US')}.`
}

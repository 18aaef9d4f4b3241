import type { ReactNode } from 'react'
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
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        <Part title="What it gives you">
          Collections, imports, sales and everything else in this application without limit. {ofTheApi(plan)}
        </Part>
        <Part title="Used today">
          {plan.apiAccess ? (
            <>
              Your keys have used {units(usedToday)} in all; the one that used most has used{' '}
              {mostUsed.toLocaleString('en-US')} of {plan.dailyLimit.toLocaleString('en-US')}. You have {activeKeys} of{' '}
              {KEYS_AT_MOST} keys. <Link to="/usage">See the last 30 days</Link>
            </>
          ) : (
            `You have ${activeKeys} of ${KEYS_AT_MOST} keys; none of them gets an answer on this plan.`
          )}
        </Part>
        {others.map((other) => (
          <Part key={other.name} title={`On the plan ${inTitleCase(other.name)}`}>
            {difference(plan, other)}
          </Part>
        ))}
      </dl>
      <p className="mt-4 text-ink-soft">
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

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="max-w-prose">
      <dt className="font-semibold">{title}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
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
  if (other.apiAccess && !now.apiAccess) return `The API answers, each key up to ${units(other.dailyLimit)} a day.`
  if (!other.apiAccess && now.apiAccess) return 'The API no longer answers; your keys stay, and so does all else.'
  if (other.dailyLimit === now.dailyLimit) return 'Nothing is different but the name.'
  return `Each key may use ${units(other.dailyLimit)} a day instead of ${now.dailyLimit.toLocaleString('en-US')}.`
}

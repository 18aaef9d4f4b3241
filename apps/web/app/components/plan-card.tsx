import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Badge } from './badge.tsx'
import { Card } from './card.tsx'

type Plan = { name: string; apiAccess: boolean; dailyLimit: number }

export type PlanSummary = {
  plan: Plan
  others: Plan[]
  activeKeys: number
  /** Credits used by all keys on the current UTC day. */
  usedToday: number
  /** Credits used by the key with the highest usage. */
  busiestKeyUsage: number
  /** Contact address; null if none is configured. */
  contactEmail: string | null
}

const MAX_ACTIVE_KEYS = 5

/** Describes the plan: what it includes, today's usage, how other plans differ and whom to contact. */
export function PlanCard({ plan, others, activeKeys, usedToday, busiestKeyUsage, contactEmail }: PlanSummary) {
  return (
    <Card title="Plan" actions={<Badge tone="accent">{capitalize(plan.name)}</Badge>}>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
        <PlanSection title="What it gives you">
          Collections, imports, sales and everything else in this application without limit. {describeApiAccess(plan)}
        </PlanSection>
        <PlanSection title="Used today">
          {plan.apiAccess ? (
            <>
              Your keys have used {formatCredits(usedToday)} in all; the one that used most has used{' '}
              {busiestKeyUsage.toLocaleString('en-US')} of {plan.dailyLimit.toLocaleString('en-US')}. You have{' '}
              {activeKeys} of {MAX_ACTIVE_KEYS} keys. <Link to="/usage">See the last 30 days</Link>
            </>
          ) : (
            `You have ${activeKeys} of ${MAX_ACTIVE_KEYS} keys; none of them gets an answer on this plan.`
          )}
        </PlanSection>
        {others.map((other) => (
          <PlanSection key={other.name} title={`On the plan ${capitalize(other.name)}`}>
            {comparePlans(plan, other)}
          </PlanSection>
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

function PlanSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="max-w-prose">
      <dt className="font-semibold">{title}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  )
}

export function capitalize(plan: string): string {
  return plan.slice(0, 1).toUpperCase() + plan.slice(1)
}

function formatCredits(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'unit' : 'units'}`
}

function describeApiAccess({ apiAccess, dailyLimit }: Plan): string {
  return apiAccess
    ? `Scripts and sheets may read through the API: each key ${formatCredits(dailyLimit)} a day, counted anew at midnight UTC.`
    : 'It has no access to the API: scripts and sheets are answered 403.'
}

function comparePlans(now: Plan, other: Plan): string {
  if (other.apiAccess && !now.apiAccess)
    return `The API answers, each key up to ${formatCredits(other.dailyLimit)} a day.`
  if (!other.apiAccess && now.apiAccess) return 'The API no longer answers; your keys stay, and so does all else.'
  if (other.dailyLimit === now.dailyLimit) return 'Nothing is different but the name.'
  return `Each key may use ${formatCredits(other.dailyLimit)} a day instead of ${now.dailyLimit.toLocaleString('en-US')}.`
}

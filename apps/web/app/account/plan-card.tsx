import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Badge } from '../ui/badge.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { Card } from '../ui/card.tsx'

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
        <PlanSection title="What’s included">
          Collections, imports, sales and your watchlist. {describeApiAccess(plan)}
        </PlanSection>
        <PlanSection title="Used today">
          {plan.apiAccess ? (
            <>
              Your keys have used {formatCredits(usedToday)} in total. Your busiest key has used{' '}
              {busiestKeyUsage.toLocaleString('en-US')} of {plan.dailyLimit.toLocaleString('en-US')}. You have{' '}
              {activeKeys} of {MAX_ACTIVE_KEYS} keys. <Link to="/usage">View usage</Link>
            </>
          ) : (
            `You have ${activeKeys} of ${MAX_ACTIVE_KEYS} keys, but this plan doesn’t include API access.`
          )}
        </PlanSection>
        {others.map((other) => (
          <PlanSection key={other.name} title={`On the ${capitalize(other.name)} plan`}>
            {comparePlans(plan, other)}
          </PlanSection>
        ))}
      </dl>
      <p className="mt-4 text-ink-soft">
        Plans don’t change automatically, and there’s nothing to pay here.{' '}
        {contactEmail === null ? (
          'To change plans, contact your administrator.'
        ) : (
          <>
            To change plans, email <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
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

function formatCredits(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`
}

function describeApiAccess({ apiAccess, dailyLimit }: Plan): string {
  return apiAccess
    ? `API access for scripts and spreadsheets, with ${formatCredits(dailyLimit)} per key per day. Resets at midnight UTC.`
    : 'No API access.'
}

function comparePlans(currentPlan: Plan, other: Plan): string {
  if (other.apiAccess && !currentPlan.apiAccess)
    return `Adds API access with ${formatCredits(other.dailyLimit)} per key per day.`
  if (!other.apiAccess && currentPlan.apiAccess) return 'Removes API access. Your keys and data stay.'
  if (other.dailyLimit === currentPlan.dailyLimit) return 'Same features and limits.'
  return `${formatCredits(other.dailyLimit)} per key per day instead of ${currentPlan.dailyLimit.toLocaleString('en-US')}.`
}

import { Check } from 'lucide-react'
import { ButtonLink } from '../ui/button.tsx'

export type PublicPlan = { name: string; apiAccess: boolean; dailyLimit: number }

/** What each plan includes, side by side. There are no prices: plans are changed by the operator. */
export function PlanCards({ plans, level: Heading = 'h2' }: { plans: PublicPlan[]; level?: 'h2' | 'h3' }) {
  return (
    <div className="grid gap-4 md:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]">
      {plans.map((plan) => (
        <section
          key={plan.name}
          className="grid content-start gap-4 rounded-card border border-line bg-card p-6 shadow-card"
        >
          <div>
            <Heading className="text-lg">{titleCase(plan.name)}</Heading>
            <p className="mt-1 text-ink-soft">
              {plan.apiAccess ? 'For people who buy to sell.' : 'For your own shelf.'}
            </p>
          </div>
          <ul className="grid gap-2">
            {featuresOf(plan).map((feature) => (
              <li key={feature} className="flex gap-2.5">
                <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-gain" /> {feature}
              </li>
            ))}
          </ul>
          <ButtonLink to="/sign-up">Create account</ButtonLink>
        </section>
      ))}
    </div>
  )
}

function featuresOf({ apiAccess, dailyLimit }: PublicPlan): string[] {
  return [
    'Values, ranges and history for every set',
    'Collections, imports and a sales ledger',
    'A watchlist, and current prices at two retailers',
    ...(apiAccess
      ? [
          `API, Google Sheets, CLI and MCP: ${dailyLimit.toLocaleString('en-US')} credits per key per day`,
          'Five API keys, with usage by key',
        ]
      : []),
  ]
}

function titleCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

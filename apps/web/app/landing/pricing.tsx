import { Link } from 'react-router'
import { findPlans } from '@brickmark/core/account/plan-queries'
import { PageMeta } from '../ui/page-meta.tsx'
import { PlanCards } from './plan-cards.tsx'
import { getServices } from '../request/context.server.ts'
import type { Route } from './+types/pricing.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = getServices(context)
  const plans = await findPlans(db)
  return {
    contactEmail: config.contactEmail ?? null,
    plans: plans.map(({ plan, api_access, daily_limit }) => ({
      name: plan,
      apiAccess: api_access,
      dailyLimit: daily_limit,
    })),
  }
}

export default function Pricing({ loaderData }: Route.ComponentProps) {
  const { plans, contactEmail } = loaderData
  return (
    <div className="mx-auto grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-12">
      <PageMeta
        title="Pricing"
        description="What each plan includes: values for every set, collections and sales, and API access for resellers."
        path="/pricing"
      />
      <header className="pt-6 text-center">
        <h1 tabIndex={-1} className="text-3xl tracking-tight">
          Simple plans, honest numbers
        </h1>
        <p className="mt-2 text-lg text-ink-soft">Start with your shelf. Add the API when it becomes a business.</p>
      </header>
      <PlanCards plans={plans} />
      <section>
        <h2 className="mb-4 text-xl tracking-tight">Questions</h2>
        <dl className="grid gap-x-12 gap-y-6 sm:grid-cols-2">
          <Question title="How do I change plans?">
            {contactEmail === null ? (
              'Contact your administrator. Plans don’t change automatically, and there’s nothing to pay here.'
            ) : (
              <>
                Email <a href={`mailto:${contactEmail}`}>{contactEmail}</a>. Plans don’t change automatically, and
                there’s nothing to pay here.
              </>
            )}
          </Question>
          <Question title="What uses a credit?">
            Each successful request uses one credit, and so does asking for something that doesn’t exist; a batch uses
            one per item. Other errors are free. The quota resets at midnight UTC.
          </Question>
          <Question title="Do web pages use my quota?">No. Only requests with an API key count.</Question>
          <Question title="Where do values come from?">
            From completed sales, without shipping and tax. <Link to="/how-values-work">How values work</Link>
          </Question>
          <Question title="Can I take my data with me?">
            Yes. Export collections and sales as CSV, or everything we store about you as one JSON file, at any time.
          </Question>
        </dl>
      </section>
    </div>
  )
}

function Question({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="font-semibold">{title}</dt>
      <dd className="mt-1 text-ink-soft">{children}</dd>
    </div>
  )
}

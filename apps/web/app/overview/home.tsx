import { lazy } from 'react'
import { data, Link } from 'react-router'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { Delta } from '../ui/money.tsx'
import { GettingStarted, needsGettingStarted, type GettingStartedProps } from './getting-started.tsx'
import { Movers } from './movers.tsx'
import { Page } from '../ui/page.tsx'
import { Performance, PERIOD_LABELS } from '../collection/performance.tsx'
import { PriceChanges } from '../ui/price-changes.tsx'
import { UsageSummary } from '../usage/usage-summary.tsx'
import { SalesSum } from '../sale/sales-sum.tsx'
import { SearchBox } from '../search/search-box.tsx'
import { requireUser, sessionContext } from '../request/context.server.ts'
import { loadLanding } from '../landing/landing.server.ts'
import { loadOverview } from './overview.server.ts'
import { parsePeriod } from '../collection/portfolio.server.ts'
import { readLastVisit } from './last-visit.server.ts'
import type { Route } from './+types/home.ts'

/** The overview for those who are signed in, and what Brickmark is for everyone else. */
export async function loader({ request, context }: Route.LoaderArgs) {
  if (context.get(sessionContext) === null) return { landing: await loadLanding(context) }
  const now = new Date()
  const { lastVisit, cookie } = readLastVisit(request, now)
  const period = parsePeriod(request)
  const page = await loadOverview(context, period, lastVisit, now)
  return data({ overview: { name: requireUser(context).name, ...page } }, { headers: { 'set-cookie': cookie } })
}

/** Pages of visitors have no script, so the overview needn't load what they show. A link to it from another page may. */
const Landing = import.meta.env.SSR
  ? (await import('../landing/landing.tsx')).Landing
  : lazy(async () => ({ default: (await import('../landing/landing.tsx')).Landing }))

export default function Home({ loaderData: page }: Route.ComponentProps) {
  return 'landing' in page ? <Landing {...page.landing} /> : <Overview {...page.overview} />
}

type OverviewPage = Extract<Route.ComponentProps['loaderData'], { overview: unknown }>['overview']

function Overview({ name, empty, asOf, quota, ...shown }: OverviewPage) {
  const { period, up, down, changes } = shown
  // The API goes back a year.
  const apiPeriod = period === '3y' || period === 'all' ? '1y' : period
  const { keys, apiAccess, hasCalled } = quota
  const steps = { hasSets: !empty, apiAccess, keyId: keys[0]?.id ?? null, hasCalled }
  return (
    <Page title="Overview" {...(empty ? { description: `Welcome, ${name}.` } : { asOf })}>
      <title>Overview · Brickmark</title>
      {empty ? (
        <Welcome gettingStarted={steps} />
      ) : (
        <>
          {needsGettingStarted(steps) && <GettingStarted {...steps} />}
          <Performance {...shown} label="Portfolio value" periodPath={(value) => `/?period=${value}`}>
            <Realized sold={shown.sold} unrealized={shown.totals.gain} />
            <BestAndWorst best={shown.best} worst={shown.worst} />
          </Performance>
          <Movers gainers={up} losers={down} periodLabel={PERIOD_LABELS[period].toLowerCase()} />
          <PriceChanges {...changes} />
        </>
      )}
      <UsageSummary {...quota} />
      {!empty && (
        <ApiSnippets
          path={`/brickfolio/analytics?period=${apiPeriod}`}
          cost={1}
          cliCommand={`brickmark analytics --period ${apiPeriod}`}
        />
      )}
    </Page>
  )
}

/** What was earned with the sales of this year; nothing if there are none. */
function Realized({
  sold: { year, totals, result },
  unrealized,
}: {
  sold: OverviewPage['sold']
  unrealized: number | null
}) {
  if (totals.sales === 0) return null
  return (
    <div>
      <h2 className="mb-1.5 text-base">
        What you sold <span className="font-normal text-ink-soft">in {year}</span>
      </h2>
      <SalesSum totals={totals} result={result} />
      {result.profit !== null && unrealized !== null && (
        <p className="mt-3 flex justify-between gap-2 rounded-control bg-sunken px-3 py-2 text-sm font-semibold">
          Unrealized + realized <Delta cents={unrealized + result.profit} />
        </p>
      )}
    </div>
  )
}

function BestAndWorst({ best, worst }: Pick<OverviewPage, 'best' | 'worst'>) {
  if (best === null && worst === null) return null
  return (
    <div className="text-sm">
      <h2 className="text-base">Since purchase</h2>
      {best && <BestOrWorst label="Best" {...best} />}
      {worst && <BestOrWorst label="Worst" {...worst} />}
    </div>
  )
}

function BestOrWorst({
  label,
  setNumber,
  title,
  pct,
}: {
  label: string
  setNumber: string
  title: string
  pct: number
}) {
  return (
    <p className="mt-1 flex items-baseline justify-between gap-3">
      <span className="min-w-0">
        {label}: <Link to={`/set/${setNumber}`}>{title}</Link>
      </span>
      <Delta ratio={pct / 100} />
    </p>
  )
}

function Welcome({ gettingStarted }: { gettingStarted: GettingStartedProps }) {
  return (
    <>
      <EmptyState
        title="See what your sets are worth"
        action={
          <>
            <ButtonLink to="/import" variant="main">
              Import sets
            </ButtonLink>
            <ButtonLink to="/collections">Create a collection</ButtonLink>
          </>
        }
      >
        Import from Rebrickable, Brickset, BrickEconomy, BrickLink or a spreadsheet. Your chart fills in right away, all
        the way back to your first purchase.
      </EmptyState>
      <div className="grid gap-5 lg:grid-cols-2">
        <Card title="Look up a set or minifig">
          <SearchBox />
        </Card>
        <GettingStarted {...gettingStarted} />
      </div>
      <p className="text-sm text-ink-soft">
        Secure your account with a <Link to="/account">passkey or two-factor authentication</Link>.
      </p>
    </>
  )
}

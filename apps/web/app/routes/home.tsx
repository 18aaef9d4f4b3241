import { data, Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import type { Period } from '@brickmark/core/portfolio/portfolio'
import { ButtonLink } from '../components/button.tsx'
import { Card, Stat } from '../components/card.tsx'
import { Chart } from '../components/chart.tsx'
import { SegmentedLinks } from '../components/segmented-links.tsx'
import { ExcludedUnits } from '../components/excluded-units.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { ApiSnippets } from '../components/api-snippets.tsx'
import { Delta, formatUsd, formatUsdCompact, Money } from '../components/money.tsx'
import { GettingStarted, needsGettingStarted, type GettingStartedProps } from '../components/getting-started.tsx'
import { Movers } from '../components/movers.tsx'
import { Page } from '../components/page.tsx'
import { PriceChanges } from '../components/price-changes.tsx'
import { UsageSummary } from '../components/usage-summary.tsx'
import { SearchBox } from '../components/search-box.tsx'
import { Landing } from '../components/landing.tsx'
import { requireUser, sessionContext } from '../server/context.ts'
import { loadLanding } from '../server/landing.ts'
import { loadOverview, PERIODS } from '../server/overview.ts'
import { readLastVisit } from '../server/last-visit.ts'

/** The overview for those who are signed in, and what Brickmark is for everyone else. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (context.get(sessionContext) === null) return { landing: await loadLanding(context) }
  const now = new Date()
  const { lastVisit, cookie } = readLastVisit(request, now)
  const requested = new URL(request.url).searchParams.get('period')
  const period = PERIODS.find((period) => period === requested) ?? '1y'
  const page = await loadOverview(context, period, lastVisit, now)
  return data({ overview: { name: requireUser(context).name, ...page } }, { headers: { 'set-cookie': cookie } })
}

export default function Home() {
  const page = useLoaderData<typeof loader>()
  return 'landing' in page ? <Landing {...page.landing} /> : <Overview {...page.overview} />
}

type OverviewPage = Extract<ReturnType<typeof useLoaderData<typeof loader>>, { overview: unknown }>['overview']

const PERIOD_LABELS: Record<Period, string> = { '30d': '30 days', '90d': '90 days', '1y': '1 year' }

function Overview({ name, empty, asOf, quota, ...shown }: OverviewPage) {
  const { period, up, down, changes } = shown
  const { keys, apiAccess, hasCalled } = quota
  const steps = { hasSets: !empty, apiAccess, keyId: keys[0]?.id ?? null, hasCalled }
  return (
    <Page
      title="Overview"
      {...(empty ? { description: `Welcome, ${name}.` } : { asOf })}
      {...(!empty && { actions: <SearchBox /> })}
    >
      <title>Overview · Brickmark</title>
      {empty ? (
        <Welcome steps={steps} />
      ) : (
        <>
          {needsGettingStarted(steps) && <GettingStarted {...steps} />}
          <Portfolio {...shown} />
          <Movers gainers={up} losers={down} periodLabel={PERIOD_LABELS[period]} />
          <PriceChanges {...changes} />
        </>
      )}
      <UsageSummary {...quota} />
      {!empty && (
        <ApiSnippets
          path={`/brickfolio/analytics?period=${period}`}
          cost={1}
          cliCommand={`brickmark analytics --period ${period}`}
        />
      )}
    </Page>
  )
}

type OverviewData = Omit<OverviewPage, 'name' | 'empty' | 'asOf' | 'quota'>

/** Chart of value and cost over time, next to the totals. */
function Portfolio({ period, totals, best, worst, history, returns }: OverviewData) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <section className="rounded-card border border-line bg-card p-4 sm:p-5" aria-label="Portfolio value">
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
          <div>
            <p className="text-sm text-ink-soft">Portfolio value</p>
            <p className="text-3xl font-semibold tracking-tight">
              <Money cents={totals.value} />
            </p>
            <p className="mt-0.5">
              <Delta cents={totals.gain} ratio={totals.gainRatio} />{' '}
              <span className="text-sm text-ink-soft">vs. cost basis</span>
            </p>
          </div>
          <SegmentedLinks
            label="Period"
            selected={period}
            options={[
              ['30d', '30 days'],
              ['90d', '90 days'],
              ['1y', '1 year'],
            ]}
            hrefFor={(value) => `/?period=${value}`}
          />
        </div>
        <Chart
          title="Portfolio value vs. cost basis"
          tall
          points={history.map(({ day, value, cost }) => ({ x: day, values: { value, cost } }))}
          series={[
            // The band between the lines is the gain only if the cost of everything is known.
            ...(totals.excluded.withoutCost === 0
              ? [{ key: 'value', label: 'Gain', kind: 'band', low: 'cost', tone: 'accent', decorative: true } as const]
              : []),
            { key: 'value', label: 'Value', kind: 'line', tone: 'accent' },
            { key: 'cost', label: 'Cost basis', kind: 'line', tone: 'ink' },
          ]}
          format={formatUsd}
          formatTick={formatUsdCompact}
        />
        <div className="mt-2">
          <ExcludedUnits {...totals.excluded} />
        </div>
      </section>
      <div className="grid content-start gap-3 sm:grid-cols-2 lg:grid-cols-1">
        <Stat
          label="Cost basis"
          detail={`${totals.items.toLocaleString('en-US')} units, ${totals.sets.toLocaleString('en-US')} sets`}
        >
          <Money cents={totals.cost} />
        </Stat>
        <Stat label="Annualized return (XIRR)" detail={<XirrHint {...returns} />}>
          <Delta ratio={returns.yearly} />
        </Stat>
        <Stat
          label={`Time-weighted return, ${PERIOD_LABELS[period]}`}
          detail="How your sets performed, regardless of when you bought or sold."
        >
          <Delta ratio={returns.overPeriod} />
        </Stat>
        {(best ?? worst) && (
          <div className="rounded-card border border-line bg-card px-4 py-3 text-sm">
            <p className="text-ink-soft">Since purchase</p>
            {best && <BestOrWorst label="Best" {...best} />}
            {worst && <BestOrWorst label="Worst" {...worst} />}
          </div>
        )}
      </div>
    </div>
  )
}

function XirrHint({ yearly, since }: OverviewData['returns']) {
  if (since === null) return 'Add purchase prices and dates to see this.'
  if (yearly === null) return 'Available 90 days after your first purchase.'
  return `Since ${since}. Accounts for the timing of every purchase and sale.`
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

function Welcome({ steps }: { steps: GettingStartedProps }) {
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
        <GettingStarted {...steps} />
      </div>
      <p className="text-sm text-ink-soft">
        Secure your account with a <Link to="/account">passkey or two-factor authentication</Link>.
      </p>
    </>
  )
}

import { Link } from 'react-router'
import type { LandingData } from './landing.server.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { formatDate } from '../ui/format-date.ts'
import { IndexChart } from './index-chart.tsx'
import { PageMeta } from '../ui/page-meta.tsx'
import { Picture } from '../ui/picture.tsx'
import { PlanCards } from './plan-cards.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { ValueBlock } from '../ui/value-block.tsx'
import { ValueChart } from '../ui/value-chart.tsx'
import { toPoints } from '../ui/value-points.ts'

/** Front page for visitors. */
export function Landing({ shelf, figures, plans, example, market }: LandingData) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-16">
      <PageMeta
        title="Know what every set is worth"
        description="Market values for sealed and used brick sets, built from actual sales. Every number comes with its range, its evidence and its history."
        path="/"
        {...(example && { image: `/pictures/sets/${encodeURIComponent(example.number)}/preview.png` })}
      />
      <section className="grid grid-cols-[minmax(0,1fr)] items-center gap-10 pt-6 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
        <div>
          <h1 tabIndex={-1} className="text-4xl tracking-tight">
            Know what every set is really worth.
          </h1>
          <p className="mt-4 mb-6 max-w-prose text-lg text-ink-soft">
            Market values for sealed and used sets, built from actual sales. Every number comes with its range, its
            evidence and its history.
          </p>
          <SearchField large />
          {example && (
            <p className="mt-3 flex flex-wrap items-center gap-2 text-sm text-ink-soft">
              Try
              {shelf.slice(0, 3).map(({ number, title }) => (
                <Link
                  key={number}
                  to={`/set/${encodeURIComponent(number)}`}
                  className="rounded-full border border-line-strong px-3 py-0.5 text-ink no-underline hover:bg-sunken"
                >
                  {title}
                </Link>
              ))}
            </p>
          )}
        </div>
        {example && <ExampleCard example={example} />}
      </section>
      {shelf.length > 0 && <Shelf sets={shelf} />}
      <Figures figures={figures} market={market} />
      {example?.value && (
        <Feature
          kicker="Values"
          title="A price you can defend"
          text="A single number hides how sure it is. Brickmark shows where four in five sales land, how many sellers that rests on and when the last sale was, so you can tell a market price from a guess."
          action={<Link to="/how-values-work">How values work</Link>}
        >
          <div className="grid w-full grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
            <div className="rounded-card border border-line bg-card shadow-card">
              <ValueBlock label="Sealed" estimate={example.value} />
            </div>
            <div className="rounded-card border border-line bg-card shadow-card">
              <ValueBlock label="Used" estimate={example.used} />
            </div>
          </div>
        </Feature>
      )}
      {market && market.index.length > 1 && (
        <Feature
          kicker="Brick Index"
          title="The market in one line"
          text="How the values of retired sets moved, month by month, from the sets that sold in both months. Once a month is published, it never changes."
          action={<Link to="/how-values-work">How it’s computed</Link>}
          flip
        >
          <div className="w-full rounded-card border border-line bg-card p-4 shadow-card">
            <IndexChart index={market.index} />
          </div>
        </Feature>
      )}
      <Feature
        kicker="Portfolio"
        title="Your shelf, marked to market"
        text="Import what you own from Rebrickable, Brickset, BrickEconomy, BrickLink or a spreadsheet. See value against cost basis, your real annual return and what’s moving, and record what you sell with its fees."
        action={<ButtonLink to="/sign-up">Create account</ButtonLink>}
      >
        <ul className="grid w-full gap-3 sm:grid-cols-2">
          {PORTFOLIO_FEATURES.map(([title, text]) => (
            <li key={title} className="rounded-card border border-line bg-card p-4 shadow-card">
              <p className="font-semibold">{title}</p>
              <p className="mt-1 text-sm text-ink-soft">{text}</p>
            </li>
          ))}
        </ul>
      </Feature>
      {plans.length > 0 && (
        <section>
          <h2 className="mb-6 text-center text-2xl tracking-tight">Plans for collectors and resellers</h2>
          <PlanCards plans={plans} level="h3" />
        </section>
      )}
    </div>
  )
}

const PORTFOLIO_FEATURES = [
  ['Import with a preview', 'See every row before it counts, answer what’s unclear and undo it later.'],
  ['Returns that hold up', 'Money-weighted and time-weighted returns, from your first purchase on.'],
  ['What to pay', 'Enter the return you want. Fees and shipping come off, and you get your ceiling.'],
  ['A sales ledger', 'Net proceeds and profit per sale, with an export for your taxes.'],
] as const

function ExampleCard({ example }: { example: NonNullable<LandingData['example']> }) {
  const { number, title, theme, pieces, retires, tint, value, months } = example
  const points = toPoints(months, value)
  return (
    <article className="overflow-hidden rounded-stage border border-line bg-card shadow-floating">
      <Picture kind="sets" number={number} size="banner" tint={tint} />
      <div className="p-5">
        {retires !== null && <Badge tone="warn">Retired {formatDate(retires)}</Badge>}
        <h2 className="mt-2 text-lg">
          <Link to={`/set/${encodeURIComponent(number)}`} className="text-ink no-underline hover:underline">
            {title}
          </Link>
        </h2>
        <p className="text-sm text-ink-soft">
          {[number, theme, pieces === null ? null : `${pieces.toLocaleString('en-US')} pieces`]
            .filter((part) => part !== null)
            .join(' · ')}
        </p>
        {value && (
          <div className="-mx-4 -mb-4">
            <ValueBlock label="Sealed value" estimate={value} />
            {points.length > 1 && (
              <div className="px-4 pb-4">
                <ValueChart label={`Value of ${title} over time`} points={points} retail={null} compact />
              </div>
            )}
          </div>
        )}
      </div>
    </article>
  )
}

function Shelf({ sets }: { sets: LandingData['shelf'] }) {
  return (
    <section aria-label="Some of the sets" className="-mx-4 border-y border-line bg-card sm:-mx-6">
      <ul className="grid grid-cols-4 gap-2 px-4 py-4 sm:px-6 lg:grid-cols-8">
        {sets.map(({ number, title }) => (
          <li key={number}>
            <Link to={`/set/${encodeURIComponent(number)}`} aria-label={title} title={title} className="block">
              <Picture kind="sets" number={number} size="bare" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Figures({ figures, market }: Pick<LandingData, 'figures' | 'market'>) {
  const sealed = market?.accuracy.find(({ condition, groupedBy }) => condition === 'sealed' && groupedBy === 'all')
  const shown: [figure: string, meaning: string][] = [
    [figures.sets.toLocaleString('en-US'), 'sets valued every night'],
    [figures.themes.toLocaleString('en-US'), 'themes'],
    ...(figures.months > 0
      ? ([[`${figures.months} months`, 'of published history']] satisfies [string, string][])
      : []),
    ...(sealed
      ? ([[`${sealed.medianError.toFixed(1)}%`, 'median distance between a sealed value and the next sale']] satisfies [
          string,
          string,
        ][])
      : []),
  ]
  return (
    <dl className="grid grid-cols-2 gap-6 lg:grid-cols-4">
      {shown.map(([figure, meaning]) => (
        <div key={meaning} className="flex flex-col-reverse justify-end">
          <dt className="text-ink-soft">{meaning}</dt>
          <dd className="text-xl font-semibold tracking-tight">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

function Feature({
  kicker,
  title,
  text,
  action,
  flip = false,
  children,
}: {
  kicker: string
  title: string
  text: string
  action: React.ReactNode
  /** Puts the picture on the left. */
  flip?: boolean
  children: React.ReactNode
}) {
  return (
    <section
      className={`grid grid-cols-[minmax(0,1fr)] items-center gap-8 ${flip ? 'lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]' : 'lg:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)]'}`}
    >
      <div className={flip ? 'lg:order-2' : undefined}>
        <p className="text-sm font-semibold text-accent">{kicker}</p>
        <h2 className="mt-2 text-2xl tracking-tight">{title}</h2>
        <p className="mt-3 mb-4 text-ink-soft">{text}</p>
        {action}
      </div>
      <div className="studded plinth flex items-center rounded-stage p-4 sm:p-8">{children}</div>
    </section>
  )
}

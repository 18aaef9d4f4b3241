import { readAs } from '@brickmark/core/db/database'
import { findBreakdown, type BreakdownKey } from '@brickmark/core/portfolio/portfolio-queries'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { ButtonLink } from '../ui/button.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { Card } from '../ui/card.tsx'
import { CollectionTabs } from './collection-tabs.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Delta, Money } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { Performance } from './performance.tsx'
import { SegmentedLinks } from '../ui/segmented-links.tsx'
import { Table } from '../ui/table.tsx'
import { findCollection } from './collection.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { loadPortfolio, parsePeriod, summarizePerformance } from './portfolio.server.ts'
import type { Route } from './+types/collection-performance.ts'

/** In place of an id, for all collections together. */
const ALL = 'all'

const BREAKDOWN_LABELS: Record<BreakdownKey, string> = {
  theme: 'Theme',
  year: 'Year',
  status: 'Status',
  condition: 'Condition',
}

function parseBreakdown(request: Request): BreakdownKey {
  const requested = new URL(request.url).searchParams.get('by') ?? ''
  return Object.hasOwn(BREAKDOWN_LABELS, requested) ? (requested as BreakdownKey) : 'theme'
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const [period, by] = [parsePeriod(request), parseBreakdown(request)]
  const today = utcDayOf(new Date())
  return readAs(getServices(context).db, accountId, async (tx) => {
    const collection = params.id === ALL ? undefined : (await findCollection(tx, accountId, params.id)).collection
    const [portfolio, breakdown] = await Promise.all([
      loadPortfolio(tx, accountId, { period, today, collectionId: collection?.id }),
      findBreakdown(tx, accountId, collection?.id, by),
    ])
    const { held: _, ...performance } = summarizePerformance(portfolio, today)
    return {
      id: collection?.id,
      name: collection?.name ?? 'All collections',
      asOf: portfolio.asOf,
      empty: portfolio.holdings.length === 0,
      period,
      by,
      performance,
      breakdown,
    }
  })
}

export default function CollectionPerformance({ loaderData }: Route.ComponentProps) {
  const { id, name, asOf, empty, period, by, performance, breakdown } = loaderData
  const here = `/collections/${id ?? ALL}/performance`
  return (
    <Page
      title={name}
      asOf={asOf}
      actions={id === undefined ? <ButtonLink to="/collections">Collections</ButtonLink> : undefined}
    >
      <title>{`${name}: performance · Brickmark`}</title>
      {id !== undefined && <CollectionTabs id={id} selected="performance" />}
      {empty ? (
        <EmptyState title="Nothing to chart yet" action={<ButtonLink to="/import">Import sets</ButtonLink>}>
          Add or import sets. The chart fills in right away, all the way back to the first purchase.
        </EmptyState>
      ) : (
        <>
          <Performance
            {...performance}
            label="Value"
            period={period}
            periodPath={(value) => `${here}?${new URLSearchParams({ period: value, by })}`}
          />
          <Card
            title="Breakdown"
            actions={
              <SegmentedLinks
                label="Break down by"
                selected={by}
                options={Object.entries(BREAKDOWN_LABELS)}
                hrefFor={(value) => `${here}?${new URLSearchParams({ period, by: value })}`}
              />
            }
          >
            <Breakdown by={by} rows={breakdown} total={performance.totals.value} />
          </Card>
        </>
      )}
    </Page>
  )
}

type BreakdownRow = Awaited<ReturnType<typeof findBreakdown>>[number]

function Breakdown({ by, rows, total }: { by: BreakdownKey; rows: BreakdownRow[]; total: number | null }) {
  if (rows.length === 0) return <p className="text-ink-soft">Nothing is held any more.</p>
  return (
    <Table
      caption={`Holdings by ${BREAKDOWN_LABELS[by].toLowerCase()}`}
      rows={rows}
      rowKey={(row) => row.label ?? ''}
      narrowLayout="lines"
      columns={[
        {
          key: 'number',
          inLines: true,
          title: BREAKDOWN_LABELS[by],
          cell: ({ label }) =>
            label === null
              ? by === 'condition'
                ? 'Custom items'
                : 'Unknown'
              : by === 'theme'
                ? label
                : capitalize(label),
        },
        { key: 'items', title: 'Items', right: true, cell: ({ items }) => items.toLocaleString('en-US') },
        { key: 'units', title: 'Qty', right: true, cell: ({ units }) => units.toLocaleString('en-US') },
        {
          key: 'share',
          title: 'Share of value',
          cell: ({ value_cents: value }) => <Share ratio={value === null || !total ? null : value / total} />,
        },
        { key: 'cost', title: 'Cost basis', right: true, cell: ({ cost_cents: cost }) => <Money cents={cost} /> },
        {
          key: 'gain',
          inLines: true,
          title: 'Gain',
          right: true,
          cell: ({ gain_cents: gain }) => <Delta cents={gain} />,
        },
        ...(rows.some(({ value_without_cost_cents: value }) => value !== null)
          ? [
              {
                key: 'unknown',
                title: 'No purchase price',
                right: true,
                cell: ({ value_without_cost_cents: value }: BreakdownRow) => <Money cents={value} />,
              },
            ]
          : []),
        {
          key: 'total',
          inLines: true,
          title: 'Value',
          right: true,
          cell: ({ value_cents: value }) => <Money cents={value} />,
        },
      ]}
    />
  )
}

function Share({ ratio }: { ratio: number | null }) {
  if (ratio === null) return '—'
  const percent = `${(ratio * 100).toFixed(1)}%`
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="h-2 w-24 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: percent }} />
      </span>
      {percent}
    </span>
  )
}

import { Card } from '../ui/card.tsx'
import { IndexChart } from './index-chart.tsx'
import { Page } from '../ui/page.tsx'
import { PageMeta } from '../ui/page-meta.tsx'
import { Table } from '../ui/table.tsx'
import { loadMarket, type MarketData } from './landing.server.ts'
import { showsValues } from '../request/visitor.server.ts'
import type { Route } from './+types/how-values-work.ts'

export async function loader({ context }: Route.LoaderArgs) {
  return { market: showsValues(context) ? await loadMarket(context) : null }
}

/** How values are computed, how accurate they were, and the Brick Index. */
export default function HowValuesWork({ loaderData }: Route.ComponentProps) {
  const { market } = loaderData
  return (
    <Page title="How values work" description="Where each number comes from, and how sure it is.">
      <PageMeta
        title="How values work"
        description="How Brickmark computes the value of a set from sales, how accurate its values were, and how the Brick Index moved."
        path="/how-values-work"
      />
      <div className="prose max-w-prose">
        <p>
          A value is what a sealed or used copy of a set sells for today, in US dollars, without shipping and tax. It’s
          computed every night from completed sales of the set itself. Recent sales count more than old ones, and the
          more often one seller repeats a price, the less each of those sales counts.
        </p>
        <h2>The range</h2>
        <p>
          Each value comes with a range that four in five sales should fall into. It’s wide if a set sells rarely or at
          very different prices.
        </p>
        <h2>Confidence</h2>
        <ul>
          <li>
            <strong>High:</strong> enough recent sales by enough different sellers.
          </li>
          <li>
            <strong>Medium:</strong> few sales. The range tells you how much that matters.
          </li>
          <li>
            <strong>Low:</strong> no recent sales. The value is estimated from sets of the same theme and age.
          </li>
        </ul>
        <p>Without enough to go on, there is no value.</p>
        <h2>What can’t move a value</h2>
        <p>
          A few sales at odd prices can’t. If prices really change, the value follows its sales. Where only a few
          sellers got a price far from that of similar sets, the range covers both, and the page of the set says so.
        </p>
        <h2>What we don’t show</h2>
        <p>
          Single sales. A month with fewer than three sales, or with sales by one seller only, doesn’t show how many
          were sold, and its range is hatched: it mostly comes from how much prices scatter in the whole market.
        </p>
      </div>
      {market && <Accuracy accuracy={market.accuracy} />}
      {market && market.index.length > 1 && (
        <section id="brick-index">
          <Card title="Brick Index">
            <p className="mb-4 max-w-prose text-ink-soft">
              How the values of sealed, retired sets moved: 100 in its first month. Each step compares the same sets at
              the end of two months, without the largest rises and falls. The band is its 90% confidence interval. A
              published month never changes.
            </p>
            <IndexChart index={market.index} />
          </Card>
        </section>
      )}
    </Page>
  )
}

/** Labels of the groups, in display order. */
const GROUPS: Record<string, string> = {
  all: 'all',
  market: 'high confidence',
  thin: 'medium confidence',
  modelled: 'low confidence',
}

function Accuracy({ accuracy }: { accuracy: MarketData['accuracy'] }) {
  const rows = ['sealed', 'used'].flatMap((condition) =>
    Object.entries(GROUPS).flatMap(([name, label]) =>
      accuracy
        .filter((row) => row.condition === condition && (row.groupedBy === 'all' ? 'all' : row.name) === name)
        .filter(({ groupedBy }) => groupedBy !== 'theme')
        .map((row) => ({ ...row, label: `${condition === 'sealed' ? 'Sealed' : 'Used'}, ${label}` })),
    ),
  )
  if (rows.length === 0)
    return (
      <Card title="Accuracy">
        <p className="text-ink-soft">Not measured yet. The figures appear once enough sales have followed a value.</p>
      </Card>
    )
  const percent = (value: number) => `${value.toFixed(1)}%`
  return (
    <Card title="Accuracy">
      <p className="mb-4 max-w-prose text-ink-soft">
        Every night we take the values of each of the last 13 weeks and compare them with the next sale of the same set.
        “Simple method” is the best of three that anybody could use on the same sales: the last sale, the median of the
        last ten, and the median of 90 days. The range should cover 80% of sales.
      </p>
      <Table
        caption="Accuracy of values"
        rows={rows}
        rowKey={({ label }) => label}
        columns={[
          { key: 'group', title: 'Values', cell: ({ label }) => label },
          { key: 'sales', title: 'Sales', right: true, cell: ({ sales }) => sales.toLocaleString('en-US') },
          { key: 'median', title: 'Median error', right: true, cell: ({ medianError }) => percent(medianError) },
          {
            key: 'simple',
            title: 'Simple method',
            right: true,
            cell: ({ simpleError }) => (simpleError === null ? null : percent(simpleError)),
          },
          { key: 'within10', title: 'Within 10%', right: true, cell: ({ within10 }) => percent(within10) },
          { key: 'within20', title: 'Within 20%', right: true, cell: ({ within20 }) => percent(within20) },
          {
            key: 'coverage',
            title: 'In range',
            right: true,
            cell: ({ coverage }) => (coverage === null ? null : percent(coverage)),
          },
        ]}
      />
    </Card>
  )
}

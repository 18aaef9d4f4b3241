import { Link } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { sumSalesByMonth, findSaleYears } from '@brickmark/core/portfolio/sale-queries'
import { addSaleTotals, totalsResult, type SaleTotals } from '@brickmark/core/portfolio/sale'
import { formatUsd, formatUsdCompact } from '@brickmark/core/primitives/format-money'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Chart } from '../ui/chart.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Money } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { SalesStats } from './sales-sum.tsx'
import { Profit } from './sale-table.tsx'
import { Table } from '../ui/table.tsx'
import { today } from '../request/today.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { parseYear } from './sales.server.ts'
import type { Route } from './+types/sales-summary.ts'

/** Loads one year by month: the year in the URL, or the latest one with sales. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const requestedYear = parseYear(new URL(request.url).searchParams)
  return readAs(getServices(context).db, accountId, async (tx) => {
    const years = await findSaleYears(tx, accountId)
    const year = requestedYear ?? years[0] ?? Number(today().slice(0, 4))
    const months = await sumSalesByMonth(tx, accountId, { year })
    const sums = addSaleTotals(months)
    return { years, year, lastMonth: today().slice(0, 7), months: months.map(withProfit), yearTotal: withProfit(sums) }
  })
}

function withProfit<Sums extends SaleTotals>(sums: Sums) {
  return { ...sums, ...totalsResult(sums) }
}

const MONTHS = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))

export default function SalesSummary({ loaderData }: Route.ComponentProps) {
  const { years, year, lastMonth, months, yearTotal } = loaderData
  const rows = [...months, { ...yearTotal, month: 'Total' }]
  const points = MONTHS.map((month) => `${year}-${month}`)
    .filter((x) => x <= lastMonth)
    .map((x) => {
      const found = months.find(({ month }) => month === x)
      return { x, values: { net: found?.net ?? 0, profit: found ? found.profit : 0 } }
    })
  return (
    <Page
      title={`${year} sales`}
      actions={
        <>
          <ButtonLink to="/sales">All sales</ButtonLink>
          {yearTotal.sales > 0 && (
            <ButtonLink to={`/sales/export.csv?year=${year}`} reloadDocument>
              Export {year}
            </ButtonLink>
          )}
        </>
      }
    >
      <title>{`${year} sales · Brickmark`}</title>
      {years.length > 0 && (
        <nav aria-label="Years" className="flex flex-wrap gap-4">
          {years.map((option) => (
            <Link
              key={option}
              to={`/sales/summary?year=${option}`}
              aria-current={option === year ? 'page' : undefined}
              className="text-ink-soft underline decoration-line-strong underline-offset-4 aria-[current]:font-semibold aria-[current]:text-accent aria-[current]:decoration-accent"
            >
              {option}
            </Link>
          ))}
        </nav>
      )}
      {yearTotal.sales === 0 ? (
        <EmptyState title={`No sales in ${year}`} action={<ButtonLink to="/sales/new">Record sale</ButtonLink>}>
          Your monthly totals appear here.
        </EmptyState>
      ) : (
        <>
          <SalesStats totals={yearTotal} result={yearTotal} />
          <Card>
            <Chart
              title="Net proceeds and profit by month"
              points={points}
              series={[
                { key: 'net', label: 'Net proceeds', kind: 'line', tone: 'soft' },
                { key: 'profit', label: 'Profit', kind: 'line', tone: 'accent' },
              ]}
              format={formatUsd}
              formatTick={formatUsdCompact}
            />
          </Card>
          <Card title="By month">
            <Table
              caption={`${year} sales by month`}
              rows={rows}
              rowKey={(row) => row.month}
              columns={[
                { key: 'month', title: 'Month', cell: (row) => <span className="whitespace-nowrap">{row.month}</span> },
                {
                  key: 'sales',
                  onlyWide: true,
                  title: 'Sales',
                  right: true,
                  cell: (row) => row.sales.toLocaleString('en-US'),
                },
                {
                  key: 'units',
                  onlyWide: true,
                  title: 'Qty',
                  right: true,
                  cell: (row) => row.units.toLocaleString('en-US'),
                },
                { key: 'gross', title: 'Gross', right: true, cell: (row) => <Money cents={row.gross} /> },
                { key: 'fees', title: 'Fees', right: true, cell: (row) => <Money cents={row.fees} /> },
                { key: 'shipping', title: 'Shipping', right: true, cell: (row) => <Money cents={row.shipping} /> },
                { key: 'net', title: 'Net', right: true, cell: (row) => <Money cents={row.net} /> },
                {
                  key: 'cost',
                  title: 'Cost',
                  right: true,
                  cell: (row) => <Money cents={row.salesWithoutCost === row.sales ? null : row.cost} />,
                },
                ...(yearTotal.salesWithoutCost === 0
                  ? []
                  : [
                      {
                        key: 'unknown',
                        title: 'No known cost',
                        right: true,
                        cell: (row: SaleTotals) => <Money cents={row.netWithoutCost} />,
                      },
                    ]),
                { key: 'profit', title: 'Profit', right: true, cell: (row) => <Profit {...row} /> },
              ]}
            />
          </Card>
        </>
      )}
    </Page>
  )
}

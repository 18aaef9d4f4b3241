import { ChevronDown } from 'lucide-react'
import { Link } from 'react-router'
import { formatPercent, formatUsd, signOf } from '@brickmark/core/primitives/format-money'
import { toKilograms, type AccountSellingCosts } from '@brickmark/core/portfolio/selling-costs'
import { WatchButton } from '../set/watch-button.tsx'
import { Badge } from '../ui/badge.tsx'
import { Confidence } from '../ui/confidence.tsx'
import { EquationRow } from '../ui/equation-row.tsx'
import { Figure } from '../ui/figure.tsx'
import { describeDays } from '../ui/format-date.ts'
import { Delta, Money } from '../ui/money.tsx'
import { SetLink } from '../ui/set-link.tsx'
import { Table } from '../ui/table.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import type { DealRow, loadDeals } from './deals.server.ts'
import { TARGET_RETURN_PCT } from './target-return.ts'

/** Deals as a table. A row opens to its sum; on a first visit, the first is open. */
export function DealTable({
  data: { rows, by, descending, open, offset, costs },
  hrefWith,
}: {
  data: Awaited<ReturnType<typeof loadDeals>>
  hrefWith: (changes: Record<string, string | undefined>) => string
}) {
  const opened = open ?? (offset === 0 ? rows[0]?.setNumber : undefined)
  const watchButton = (deal: DealRow) => (
    <WatchButton
      kind="set"
      number={deal.setNumber}
      isWatched={deal.isWatched}
      returnTo={hrefWith({ open: deal.setNumber })}
      {...(deal.target !== null && { target: deal.target })}
    />
  )
  return (
    <Table
      caption="Deals"
      rows={rows}
      rowKey={(deal) => deal.setNumber}
      narrowLayout="lines"
      sorting={{
        by,
        descending,
        to: (column, isDescending) =>
          hrefWith({ by: column, order: isDescending ? undefined : 'ascending', from: undefined, open: undefined }),
      }}
      columns={[
        { key: 'number', inLines: true, title: 'Set', cell: (deal) => <DealSet deal={deal} /> },
        {
          key: 'price',
          inLines: true,
          title: 'Best price',
          right: true,
          sortable: true,
          cell: (deal) => (
            <Figure detail={`${deal.retailerName}${deal.isThirdParty ? ', other seller' : ''}`}>
              <Money cents={deal.price} />
            </Figure>
          ),
        },
        {
          key: 'net',
          title: 'Net if sold',
          right: true,
          sortable: true,
          onlyWide: true,
          cell: (deal) => (
            <Figure detail={`of ${formatUsd(deal.value)}`}>
              <Money cents={deal.net} />
            </Figure>
          ),
        },
        {
          key: 'profit',
          inLines: true,
          title: 'Profit',
          right: true,
          sortable: true,
          cell: (deal) => (
            <Figure detail={<LowEnd profit={deal.lowProfit} />}>
              <Delta cents={deal.profit} withArrow={false} />
            </Figure>
          ),
        },
        {
          key: 'return',
          title: 'Return',
          right: true,
          sortable: true,
          cell: (deal) => <span className="font-medium text-ink">{formatPercent(deal.returnPct / 100)}</span>,
        },
        { key: 'confidence', title: 'Confidence', onlyWide: true, cell: (deal) => <Confidence tier={deal.tier} /> },
        {
          key: 'open',
          inLines: true,
          title: 'Details',
          right: true,
          cell: (deal) => {
            const isOpen = deal.setNumber === opened
            return (
              <Link
                to={hrefWith({ open: isOpen ? 'none' : deal.setNumber })}
                preventScrollReset
                aria-expanded={isOpen}
                aria-label={`Details of ${deal.title}`}
                className="inline-grid size-8 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
              >
                <ChevronDown aria-hidden="true" className={`size-4 ${isOpen ? 'rotate-180' : ''}`} />
              </Link>
            )
          },
        },
      ]}
      detail={(deal) =>
        deal.setNumber === opened ? <DealSum deal={deal} costs={costs} watchButton={watchButton(deal)} /> : undefined
      }
    />
  )
}

function DealSet({ deal }: { deal: DealRow }) {
  return (
    <span className="grid gap-1">
      <SetLink setNumber={deal.setNumber} title={deal.title} />
      <DealBadge deal={deal} />
    </span>
  )
}

/** The one thing worth knowing: that it retires soon, or else that it never was cheaper. */
function DealBadge({ deal: { isRetiringSoon, lowestInDays } }: { deal: DealRow }) {
  if (!isRetiringSoon && lowestInDays === null) return null
  return (
    <span className="pl-13">
      {isRetiringSoon ? (
        <Badge tone="warn">Retiring soon</Badge>
      ) : (
        <Badge tone="accent">Lowest in {describeDays(lowestInDays!)}</Badge>
      )}
    </span>
  )
}

function LowEnd({ profit }: { profit: number | null }) {
  if (profit === null) return null
  return (
    <span className={profit < 0 ? 'text-loss' : ''}>
      low end {signOf(profit)}
      {formatUsd(Math.abs(profit))}
    </span>
  )
}

/** How a deal adds up, and what is left at the low end of its range. */
function DealSum({
  deal,
  costs: { feeBasisPoints, fixedFee },
  watchButton,
}: {
  deal: DealRow
  costs: AccountSellingCosts
  watchButton: React.ReactNode
}) {
  const { value, fees, shipping, net, price, profit, low, lowNet, lowProfit, boxWeightLbs } = deal
  return (
    <div className="grid gap-3 rounded-card bg-sunken p-4">
      <EquationRow
        terms={[
          { label: 'Value, sealed', amount: <Money cents={value} /> },
          {
            sign: '−',
            label: `Fees ${feeBasisPoints / 100}% + ${formatUsd(fixedFee)}`,
            amount: <Money cents={fees} />,
          },
          { sign: '−', label: `Shipping, ${describeWeight(boxWeightLbs)}`, amount: <Money cents={shipping} /> },
          { sign: '=', label: 'Net if sold', amount: <Money cents={net} /> },
          { sign: '−', label: `Price at ${deal.retailerName}`, amount: <Money cents={price} /> },
          { sign: '=', label: 'Profit', amount: <Delta cents={profit} withArrow={false} /> },
        ]}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-sm text-ink-soft">
          {low !== null && lowNet !== null && lowProfit !== null && (
            <>
              If it sells at the low end of its range ({formatUsd(low)}), you keep {formatUsd(lowNet)}, a{' '}
              {lowProfit < 0 ? 'loss' : 'profit'} of {formatUsd(Math.abs(lowProfit))}.{' '}
            </>
          )}
          Price checked <Timestamp iso={deal.checkedAt} />. <WatchEffect deal={deal} />
        </p>
        {watchButton}
      </div>
    </div>
  )
}

/** What watching a deal leads to, said before it is watched. */
function WatchEffect({ deal: { isWatched, target, price } }: { deal: DealRow }) {
  if (isWatched || target === null) return null
  if (price > target)
    return `If you watch it, you get an alert at ${formatUsd(target)}, for a return of ${TARGET_RETURN_PCT}%.`
  return `It already returns ${TARGET_RETURN_PCT}%, at ${formatUsd(target)} or less: if you watch it, you get an alert only after its price has gone up and come back.`
}

function describeWeight(lbs: number | null): string {
  return lbs === null ? 'weight unknown' : `${toKilograms(lbs).toFixed(1)} kg box`
}

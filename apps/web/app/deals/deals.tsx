import { Form, Link, useSearchParams } from 'react-router'
import { formatPercent, formatUsd } from '@brickmark/core/primitives/format-money'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { countOf } from '../ui/count-of.ts'
import { Assumptions } from './assumptions.tsx'
import { DealTable } from './deal-table.tsx'
import { loadDeals } from './deals.server.ts'
import type { Route } from './+types/deals.ts'

export function loader({ request, context }: Route.LoaderArgs) {
  return loadDeals(context, new URL(request.url).searchParams)
}

const RETURN_OPTIONS: [string, string][] = ['0', '10', '15', '20', '25', '30', '40', '50', '75', '100'].map((pct) => [
  pct,
  pct === '0' ? 'Any profit' : `${pct}% or more`,
])

export default function DealsPage({ loaderData }: Route.ComponentProps) {
  const { total, offset, limit, filter, costs, errors, closest, setsInStock, checkedAt, themes, shops } = loaderData
  const [search] = useSearchParams()
  const hrefWith = (changes: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    }
    return next.size === 0 ? '/deals' : `/deals?${next}`
  }
  return (
    <Page
      title="Deals"
      description="In stock today, ranked by what you would keep after fees and shipping."
      actions={<Assumptions costs={costs} errors={errors} search={search} />}
    >
      <title>Deals · Brickmark</title>
      {!loaderData.hasCandidates ? (
        <EmptyState title="No deals today" action={<ButtonLink to="/search">Browse sets</ButtonLink>}>
          No retailer asks less for a set than its value, as far as prices were checked in the last 24 hours.
        </EmptyState>
      ) : (
        <>
          <Card>
            <Form className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-[repeat(5,1fr)_auto]">
              {HIDDEN_FIELDS.map(
                (name) =>
                  search.has(name) && <input key={name} type="hidden" name={name} value={search.get(name) ?? ''} />,
              )}
              <SelectField
                label="Return"
                name="return"
                defaultValue={String(filter.minReturnPct)}
                options={
                  RETURN_OPTIONS.some(([pct]) => pct === String(filter.minReturnPct))
                    ? RETURN_OPTIONS
                    : [[String(filter.minReturnPct), `${filter.minReturnPct}% or more`], ...RETURN_OPTIONS]
                }
              />
              <SelectField
                label="Confidence"
                name="confidence"
                defaultValue={filter.tier === 'market' ? 'high' : 'medium'}
                options={[
                  ['medium', 'Medium or high'],
                  ['high', 'High'],
                ]}
              />
              <TextField
                label="Price up to ($)"
                name="max"
                inputMode="decimal"
                placeholder="Any"
                defaultValue={search.get('max') ?? ''}
              />
              <SelectField
                label="Theme"
                name="theme"
                defaultValue={filter.theme ?? ''}
                options={[['', 'Any'], ...themes.map((theme): [string, string] => [theme, theme])]}
              />
              <SelectField
                label="Retailer"
                name="shop"
                defaultValue={filter.retailer ?? ''}
                options={[['', 'Any'], ...shops]}
              />
              <div className="col-span-2 flex flex-wrap items-center gap-x-5 gap-y-2 sm:col-span-3 lg:col-span-6">
                <Check name="retiring" label="Retiring soon" isChecked={filter.isRetiringSoon === true} />
                <Check name="lowest" label="At its lowest" isChecked={filter.isLowest === true} />
                <Button>Apply</Button>
                {search.size > 0 && <Link to="/deals">Reset</Link>}
              </div>
            </Form>
          </Card>
          <Card>
            <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm text-ink-soft">
              <p>
                <strong className="text-base text-ink">{countOf(total, 'deal')}</strong> of{' '}
                {countOf(setsInStock, 'set')} in stock
              </p>
              {checkedAt !== null && (
                <p>
                  Latest price checked <Timestamp iso={checkedAt} /> · sold now, at today’s value
                </p>
              )}
            </div>
            {total > 0 ? (
              <DealTable data={loaderData} hrefWith={hrefWith} />
            ) : closest === undefined ? (
              <EmptyState
                title="No deal passes your filters"
                action={<ButtonLink to="/deals">Reset filters</ButtonLink>}
              >
                Nothing that matches leaves a profit.
              </EmptyState>
            ) : (
              <EmptyState
                title="No deal passes your filters"
                action={
                  <ButtonLink to={hrefWith({ return: String(Math.floor(closest.returnPct)), from: undefined })}>
                    Lower to {Math.floor(closest.returnPct)}%
                  </ButtonLink>
                }
              >
                The closest is {closest.title} at {formatPercent(closest.returnPct / 100)}, a profit of{' '}
                {formatUsd(closest.profit)}.
              </EmptyState>
            )}
            <Pager
              offset={offset}
              limit={limit}
              total={total}
              to={(from) => hrefWith({ from: from === 0 ? undefined : String(from), open: undefined })}
            />
          </Card>
        </>
      )}
      <Card title="What could go wrong">
        <ul className="grid max-w-prose list-disc gap-1 pl-5 text-sm text-ink-soft">
          <li>A value is an estimate. One sale in five is outside its range, so look at the low end before you buy.</li>
          <li>Prices are a day old at most, and a retailer may sell out or change its price at any time.</li>
          <li>It takes time to sell, and many buyers of the same deal bring the price down.</li>
          <li>Returns, storage and taxes aren’t included. Shipping is by the weight of the box, not by its size.</li>
        </ul>
      </Card>
    </Page>
  )
}

/** What the filter form keeps from the address. */
const HIDDEN_FIELDS = ['fee', 'fixed', 'ship0', 'ship1', 'ship2', 'ship3', 'by', 'order']

function Check({ name, label, isChecked }: { name: string; label: string; isChecked: boolean }) {
  return (
    <label className="flex min-h-6 items-center gap-2">
      <input type="checkbox" name={name} value="yes" defaultChecked={isChecked} className="size-4 accent-accent" />
      {label}
    </label>
  )
}

import { Form as GetForm, useSearchParams } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { searchSales, sumSalesByMonth, findSaleYears } from '@brickmark/core/portfolio/sale-queries'
import { addSaleTotals, totalsResult } from '@brickmark/core/portfolio/sale'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { SalesStats } from './sales-sum.tsx'
import { PLATFORM_OPTIONS, SaleTable } from './sale-table.tsx'
import { getServices, requireUser } from '../request/context.server.ts'
import { parseSaleQuery, toSaleRow } from './sales.server.ts'
import type { Route } from './+types/sales.ts'

const LIMIT = 50

export async function loader({ request, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const { filter, offset } = parseSaleQuery(new URL(request.url).searchParams)
  return readAs(getServices(context).db, accountId, async (tx) => {
    const years = await findSaleYears(tx, accountId)
    const sums = addSaleTotals(await sumSalesByMonth(tx, accountId, filter))
    const sales = await searchSales(tx, accountId, filter, { limit: LIMIT, offset })
    return { years, filter, offset, sums, result: totalsResult(sums), sales: sales.map(toSaleRow) }
  })
}

/** Returns the message for the action that redirected here, from the query string; undefined if there is none. */
function successMessage(search: URLSearchParams): string | undefined {
  const returnedUnits = Number(search.get('back'))
  const done: Record<string, string> = {
    recorded: 'Sale recorded. It isn’t linked to a lot, so your collections didn’t change.',
    taken: 'Sale recorded and units removed from your collections.',
    changed: 'Sale updated.',
    deleted:
      returnedUnits > 0
        ? `Sale deleted. ${returnedUnits.toLocaleString('en-US')} ${returnedUnits === 1 ? 'unit' : 'units'} returned to your collections.`
        : 'Sale deleted. There were no units to return.',
  }
  return done[search.get('done') ?? '']
}

export default function Sales({ loaderData }: Route.ComponentProps) {
  const { years, filter, offset, sums, result, sales } = loaderData
  const [search] = useSearchParams()
  const done = successMessage(search)
  const imported = Number(search.get('imported'))
  const queryWith = (changes: Record<string, string>) => {
    const next = new URLSearchParams(search)
    for (const name of ['done', 'back', 'imported']) next.delete(name)
    for (const [name, value] of Object.entries(changes)) next.set(name, value)
    return next
  }
  return (
    <Page
      title="Sales"
      description="What you earned after fees, shipping and cost."
      actions={
        <>
          <ButtonLink to="/sales/new" variant="main">
            Record sale
          </ButtonLink>
          <ButtonLink to="/sales/import">Import from eBay</ButtonLink>
          {years.length > 0 && <ButtonLink to="/sales/summary">Yearly summary</ButtonLink>}
          {years.length > 0 && (
            <ButtonLink to={`/sales/export.csv?${queryWith({})}`} reloadDocument>
              Export
            </ButtonLink>
          )}
        </>
      }
    >
      <title>Sales · Brickmark</title>
      {done !== undefined && <Notice tone="gain">{done}</Notice>}
      {imported > 0 && (
        <Notice tone="gain">
          {imported.toLocaleString('en-US')} {imported === 1 ? 'sale' : 'sales'} imported.
        </Notice>
      )}
      {years.length === 0 ? (
        <EmptyState title="No sales yet" action={<ButtonLink to="/sales/new">Record sale</ButtonLink>}>
          Record a sale and we’ll remove the units from your collections and fill in platform fees. Or import your eBay
          order earnings report.
        </EmptyState>
      ) : (
        <>
          {sums.sales > 0 && <SalesStats totals={sums} result={result} />}
          <Card>
            <GetForm className="mb-4 grid items-end gap-3 sm:grid-cols-[2fr_1fr_1fr_auto]">
              <TextField label="Search" name="q" defaultValue={filter.text ?? ''} placeholder="Set number or title" />
              <SelectField
                label="Year"
                name="year"
                defaultValue={String(filter.year ?? '')}
                options={[['', 'All'], ...years.map((year): [string, string] => [String(year), String(year)])]}
              />
              <SelectField
                label="Platform"
                name="platform"
                defaultValue={filter.platform ?? ''}
                options={[['', 'All platforms'], ...PLATFORM_OPTIONS]}
              />
              <Button>Apply</Button>
            </GetForm>
            {sums.sales === 0 ? (
              <EmptyState title="No matching sales" action={<ButtonLink to="/sales">Clear filters</ButtonLink>}>
                Try different filters, or clear them.
              </EmptyState>
            ) : (
              <SaleTable rows={sales} />
            )}
            <Pager
              offset={offset}
              limit={LIMIT}
              total={sums.sales}
              to={(to) => `/sales?${queryWith({ offset: String(to) })}`}
            />
          </Card>
        </>
      )}
      <ApiSnippets path="/salesledger?limit=250" cost={1} cliCommand="brickmark sales" />
    </Page>
  )
}

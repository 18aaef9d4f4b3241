import { Form as GetForm, useLoaderData, useSearchParams, type LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { searchLedgerSales, sumSalesByMonth, findSaleYears } from '@brickmark/core/portfolio/ledger-sale-queries'
import { totalsResult } from '@brickmark/core/portfolio/ledger-sale'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { SelectField, TextField } from '../components/field.tsx'
import { ApiSnippets } from '../components/api-snippets.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SaleStats, UnknownCostNote } from '../components/sale-stats.tsx'
import { PLATFORM_OPTIONS, SaleTable } from '../components/sale-table.tsx'
import { getServices, requireUser } from '../server/context.ts'
import { sumSales, parseSaleQuery, toSaleRow } from '../server/sales.ts'

const LIMIT = 50

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { accountId } = requireUser(context)
  const { filter, offset } = parseSaleQuery(new URL(request.url).searchParams)
  return readAs(getServices(context).db, accountId, async (tx) => {
    const years = await findSaleYears(tx, accountId)
    const sums = sumSales(await sumSalesByMonth(tx, accountId, filter))
    const sales = await searchLedgerSales(tx, accountId, filter, { limit: LIMIT, offset })
    return { years, filter, offset, sums, result: totalsResult(sums), sales: sales.map(toSaleRow) }
  })
}

/** Returns the message for the action that redirected here, from the query string; undefined if there is none. */
function successMessage(search: URLSearchParams): string | undefined {
  const returnedUnits = Number(search.get('back'))
  const done: Record<string, string> = {
    recorded: 'The sale is recorded. It was taken from no lot, so your collections are as before.',
    taken: 'The sale is recorded, and its units are taken from your collections.',
    changed: 'The sale is changed.',
    deleted:
      returnedUnits > 0
        ? `The sale is deleted, and ${returnedUnits.toLocaleString('en-US')} ${returnedUnits === 1 ? 'unit is' : 'units are'} back where ${returnedUnits === 1 ? 'it' : 'they'} came from.`
        : 'The sale is deleted. No unit came from a lot that you have, so nothing came back.',
  }
  return done[search.get('done') ?? '']
}

export default function Sales() {
  const { years, filter, offset, sums, result, sales } = useLoaderData<typeof loader>()
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
      description="What it brought after fees, shipping and cost."
      actions={
        <>
          <ButtonLink to="/sales/new" variant="main">
            Record a sale
          </ButtonLink>
          <ButtonLink to="/sales/import">Import from eBay</ButtonLink>
          {years.length > 0 && <ButtonLink to="/sales/summary">By year</ButtonLink>}
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
          {imported.toLocaleString('en-US')} {imported === 1 ? 'sale is' : 'sales are'} imported.
        </Notice>
      )}
      {years.length === 0 ? (
        <EmptyState title="No sale yet" action={<ButtonLink to="/sales/new">Record a sale</ButtonLink>}>
          Record what you sell, and its units leave your collections. Fees of the platform are filled in for you. Or
          import the order earnings report of eBay.
        </EmptyState>
      ) : (
        <>
          <SaleStats sums={sums} result={result} />
          <UnknownCostNote {...sums} />
          <Card>
            <GetForm className="mb-4 grid items-end gap-3 sm:grid-cols-[2fr_1fr_1fr_auto]">
              <TextField label="Find" name="q" defaultValue={filter.text ?? ''} placeholder="Number or title" />
              <SelectField
                label="Year"
                name="year"
                defaultValue={String(filter.year ?? '')}
                options={[['', 'All'], ...years.map((year): [string, string] => [String(year), String(year)])]}
              />
              <SelectField
                label="Where"
                name="platform"
                defaultValue={filter.platform ?? ''}
                options={[['', 'Anywhere'], ...PLATFORM_OPTIONS]}
              />
              <Button>Filter</Button>
            </GetForm>
            {sums.sales === 0 ? (
              <EmptyState title="No sale matches" action={<ButtonLink to="/sales">Show all</ButtonLink>}>
                Change the filter, or show everything again.
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

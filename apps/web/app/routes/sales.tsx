import { Form as GetForm, useLoaderData, useSearchParams, type LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findLedger, findSaleMonths, findSaleYears } from '@brickmark/core/portfolio/ledger-sale-queries'
import { sumsResult } from '@brickmark/core/portfolio/ledger-sale'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Empty } from '../components/empty-state.tsx'
import { Choice, Field } from '../components/field.tsx'
import { GetThisAs } from '../components/api-snippets.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SaleFigures, UnknownCost } from '../components/sale-stats.tsx'
import { PLATFORM_OPTIONS, SaleTable } from '../components/sale-table.tsx'
import { servicesOf, signedIn } from '../server/context.ts'
import { addUp, saleListOf, saleRowOf } from '../server/sales.ts'

const LIMIT = 50

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const { filter, offset } = saleListOf(new URL(request.url).searchParams)
  return readAs(servicesOf(context).db, accountId, async (as) => {
    const years = await findSaleYears(as, accountId)
    const sums = addUp(await findSaleMonths(as, accountId, filter))
    const sales = await findLedger(as, accountId, filter, { limit: LIMIT, offset })
    return { years, filter, offset, sums, result: sumsResult(sums), sales: sales.map(saleRowOf) }
  })
}

/** What was done just now, as the address tells; undefined when nothing was. */
function doneOf(search: URLSearchParams): string | undefined {
  const back = Number(search.get('back'))
  const done: Record<string, string> = {
    recorded: 'The sale is recorded. It was taken from no lot, so your collections are as before.',
    taken: 'The sale is recorded, and its units are taken from your collections.',
    changed: 'The sale is changed.',
    deleted:
      back > 0
        ? `The sale is deleted, and ${back.toLocaleString('en-US')} ${back === 1 ? 'unit is' : 'units are'} back where ${back === 1 ? 'it' : 'they'} came from.`
        : 'The sale is deleted. No unit came from a lot that you have, so nothing came back.',
  }
  return done[search.get('done') ?? '']
}

export default function Sales() {
  const { years, filter, offset, sums, result, sales } = useLoaderData<typeof loader>()
  const [search] = useSearchParams()
  const done = doneOf(search)
  const imported = Number(search.get('imported'))
  const address = (changes: Record<string, string>) => {
    const next = new URLSearchParams(search)
    for (const name of ['done', 'back', 'imported']) next.delete(name)
    for (const [name, value] of Object.entries(changes)) next.set(name, value)
    return next
  }
  return (
    <Page
      title="Sales"
      lead="What it brought after fees, shipping and cost."
      actions={
        <>
          <ButtonLink to="/sales/new" look="main">
            Record a sale
          </ButtonLink>
          <ButtonLink to="/sales/import">Import from eBay</ButtonLink>
          {years.length > 0 && <ButtonLink to="/sales/summary">By year</ButtonLink>}
          {years.length > 0 && (
            <ButtonLink to={`/sales/export.csv?${address({})}`} reloadDocument>
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
        <Empty title="No sale yet" action={<ButtonLink to="/sales/new">Record a sale</ButtonLink>}>
          Record what you sell, and its units leave your collections. Fees of the platform are filled in for you. Or
          import the order earnings report of eBay.
        </Empty>
      ) : (
        <>
          <SaleFigures sums={sums} result={result} />
          <UnknownCost {...sums} />
          <Card>
            <GetForm className="mb-4 grid items-end gap-3 sm:grid-cols-[2fr_1fr_1fr_auto]">
              <Field label="Find" name="q" defaultValue={filter.text ?? ''} placeholder="Number or title" />
              <Choice
                label="Year"
                name="year"
                defaultValue={String(filter.year ?? '')}
                options={[['', 'All'], ...years.map((year): [string, string] => [String(year), String(year)])]}
              />
              <Choice
                label="Where"
                name="platform"
                defaultValue={filter.platform ?? ''}
                options={[['', 'Anywhere'], ...PLATFORM_OPTIONS]}
              />
              <Button>Filter</Button>
            </GetForm>
            {sums.sales === 0 ? (
              <Empty title="No sale matches" action={<ButtonLink to="/sales">Show all</ButtonLink>}>
                Change the filter, or show everything again.
              </Empty>
            ) : (
              <SaleTable rows={sales} />
            )}
            <Pager
              offset={offset}
              limit={LIMIT}
              total={sums.sales}
              to={(to) => `/sales?${address({ offset: String(to) })}`}
            />
          </Card>
        </>
      )}
      <GetThisAs path="/salesledger?limit=250" units={1} command="brickmark sales" />
    </Page>
  )
}

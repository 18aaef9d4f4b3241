import { data, Form as GetForm, redirect } from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { findSellingFees } from '@brickmark/core/market/fees/fee-schedule-queries'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { submitOnce } from '@brickmark/core/portfolio/form-submission-commands'
import { findHeldItem, findHeldItems } from '@brickmark/core/portfolio/sellable-lot-queries'
import { parseItem } from '@brickmark/core/portfolio/item'
import { findSetByNumber, searchSets } from '@brickmark/core/catalog/set-search-queries'
import { recordSale } from '@brickmark/core/portfolio/sale-commands'
import { parseSale } from '@brickmark/core/portfolio/sale-form'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { SaleForm } from './sale-form.tsx'
import { ItemLink, itemName } from '../ui/item-link.tsx'
import { Table } from '../ui/table.tsx'
import { latestPossibleDate, today } from '../request/today.server.ts'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { newSubmission, readSubmission } from '../request/form.server.ts'
import { loadSaleFormContext, readSaleForm, type SaleFormValues } from './sales.server.ts'
import type { Route } from './+types/sale-new.ts'

const RESULTS = 25

/** Two steps on one URL: choose what was sold (owned, or a set found by `q`), then enter the sale (`item`, optionally `lot`). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  const search = new URL(request.url).searchParams
  const [query, asked, lot] = [cleanText(search.get('q')), cleanText(search.get('item')), search.get('lot') ?? '']
  return readAs(db, accountId, async (tx) => {
    const item = asked === '' ? undefined : await findSellableItem(tx, accountId, asked)
    if (!item) return { query, asked, found: await findSellableItems(tx, accountId, query), selected: undefined }
    const formContext = { ...(await loadSaleFormContext(tx, accountId, item.item)), previousLotIds: [] }
    const { lots } = formContext
    const defaultLot = lots.some(({ condition }) => condition === 'sealed')
      ? 'sealed'
      : (lots[0]?.condition ?? String(lots[0]?.id ?? 'none'))
    const values: SaleFormValues = {
      platform: 'ebay',
      date: today(),
      quantity: '1',
      gross: '',
      'platform-fees': '',
      'payment-fees': '',
      shipping: '',
      lot: lots.some(({ id }) => String(id) === lot) ? lot : defaultLot,
      cost: '',
    }
    return { query, asked, found: [], selected: { ...item, formContext, values, submission: newSubmission() } }
  })
}

/** Returns what the account owns, or the sets that match the query, with the number of owned units. */
async function findSellableItems(tx: Database, accountId: number, query: string) {
  if (query.length < 2) return findHeldItems(tx, accountId, { limit: RESULTS })
  const sets = await searchSets(tx, query, RESULTS)
  const setNumbers = sets.map(({ set_number }) => set_number)
  const held = await findHeldItems(tx, accountId, { setNumbers, limit: RESULTS })
  const units = new Map(held.map(({ item, units }) => [item, units]))
  return sets.map(({ set_number, title }) => ({ item: set_number, title, units: units.get(set_number) ?? 0 }))
}

/** Returns a set by its number, owned or not; anything else only if the account owns it. */
async function findSellableItem(tx: Database, accountId: number, item: string) {
  if (parseItem(item).kind !== 'set') return findHeldItem(tx, accountId, item)
  const set = await findSetByNumber(tx, item)
  return set && { item: set.set_number, title: set.title }
}

/** Records the sale; the "Calculate" button only computes the result. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  const asked = cleanText(new URL(request.url).searchParams.get('item'))
  const form = await request.formData()
  const values = readSaleForm(form)
  if (form.get('intent') === 'preview') return { values, error: undefined }
  const result = await writeAs(db, accountId, async (tx) => {
    const item = await findSellableItem(tx, accountId, asked)
    if (!item) throw data('not found', 404)
    const fees = await findSellingFees(tx)
    return submitOnce(tx, accountId, readSubmission(form), async () => {
      const exceeded = await describeExceededLimit(tx, accountId, 'sales', 1)
      if (exceeded !== undefined) return exceeded
      return recordSale(tx, accountId, item.item, (lots) =>
        parseSale((name) => values[name], { lots, previousLotIds: [], fees, today: latestPossibleDate() }),
      )
    })
  })
  if (typeof result === 'string') return data({ values, error: result }, 400)
  return redirect(`/sales?done=${values.lot === 'none' ? 'recorded' : 'taken'}`)
}

export default function SaleNew({ loaderData, actionData: result }: Route.ComponentProps) {
  const { query, asked, found, selected } = loaderData
  return (
    <Page title="Record sale" description="We remove units from your oldest lots first, unless you choose one.">
      <title>Record sale · Brickmark</title>
      {selected ? (
        <Card
          title={itemName(selected.item, selected.title)}
          actions={<ButtonLink to="/sales/new">Change item</ButtonLink>}
        >
          <SaleForm
            key={selected.item}
            values={result?.values ?? selected.values}
            serverDate={selected.values.date}
            formContext={selected.formContext}
            submission={selected.submission}
            submit="Record sale"
            error={result?.error}
          />
        </Card>
      ) : (
        <>
          <Card>
            <GetForm className="flex flex-wrap items-end gap-3">
              <div className="min-w-0 flex-1 basis-60">
                <TextField
                  label="Set number, name or barcode"
                  name="q"
                  type="search"
                  required
                  minLength={2}
                  defaultValue={query || asked}
                  autoComplete="off"
                />
              </div>
              <Button variant="main">Search</Button>
            </GetForm>
          </Card>
          {found.length === 0 ? (
            <EmptyState title={query === '' ? 'You don’t own anything yet' : 'No results'}>
              {query === ''
                ? 'Search for the set you sold. Add it to a collection first if you want to track its cost.'
                : 'Try fewer words, or the set number printed on the box.'}
            </EmptyState>
          ) : (
            <Card title={query === '' ? 'What you own' : 'Matching sets'}>
              <Table
                caption="Items"
                rows={found}
                rowKey={({ item }) => item}
                columns={[
                  { key: 'item', title: 'Item', cell: ({ item, title }) => <ItemLink item={item} title={title} /> },
                  { key: 'held', title: 'Qty owned', right: true, cell: ({ units }) => units.toLocaleString('en-US') },
                  {
                    key: 'choose',
                    title: 'Actions',
                    right: true,
                    cell: ({ item, title }) => (
                      <ButtonLink
                        to={`/sales/new?${new URLSearchParams({ item })}`}
                        aria-label={`Sell ${itemName(item, title)}`}
                      >
                        Sell
                      </ButtonLink>
                    ),
                  },
                ]}
              />
              {query === '' && found.length === RESULTS && (
                <p className="mt-3 text-sm text-ink-soft">Showing the first {RESULTS}. Search to find more.</p>
              )}
            </Card>
          )}
        </>
      )}
    </Page>
  )
}

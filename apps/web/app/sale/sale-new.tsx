import { data, Form as GetForm, redirect } from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { findSellingFees } from '@brickmark/core/market/fees/fee-schedule-queries'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { submitOnce } from '@brickmark/core/portfolio/form-submission-commands'
import { findHeldSets } from '@brickmark/core/portfolio/sellable-lot-queries'
import { findSetByNumber, searchSets } from '@brickmark/core/catalog/set-search-queries'
import { recordSale } from '@brickmark/core/portfolio/sale-commands'
import { parseSale } from '@brickmark/core/portfolio/sale-form'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { SaleForm } from './sale-form.tsx'
import { SetLink } from '../ui/set-link.tsx'
import { Table } from '../ui/table.tsx'
import { latestPossibleDate, today } from '../request/today.server.ts'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { newSubmission, readSubmission } from '../request/form.server.ts'
import { loadSaleFormContext, readSaleForm, type SaleFormValues } from './sales.server.ts'
import type { Route } from './+types/sale-new.ts'

const RESULTS = 25

/** Two steps on one URL: choose a set (owned, or found by `q`), then enter the sale (`set`, optionally `lot`). */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  const search = new URL(request.url).searchParams
  const [query, number, lot] = [cleanText(search.get('q')), cleanText(search.get('set')), search.get('lot') ?? '']
  return readAs(db, accountId, async (tx) => {
    const set = number === '' ? undefined : await findSetByNumber(tx, number)
    if (!set) return { query, number, found: await findSellableSets(tx, accountId, query), selectedSet: undefined }
    const formContext = { ...(await loadSaleFormContext(tx, accountId, set.set_number)), previousLotIds: [] }
    const { lots } = formContext
    const defaultLot = lots.some(({ condition }) => condition === 'sealed')
      ? 'sealed'
      : lots.length > 0
        ? 'used'
        : 'none'
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
    return {
      query,
      number,
      found: [],
      selectedSet: { number: set.set_number, title: set.title, formContext, values, submission: newSubmission() },
    }
  })
}

/** Returns the owned sets, or those that match the query, with the number of owned units. */
async function findSellableSets(tx: Database, accountId: number, query: string) {
  if (query.length < 2) return findHeldSets(tx, accountId, { limit: RESULTS })
  const sets = await searchSets(tx, query, RESULTS)
  const setNumbers = sets.map(({ set_number }) => set_number)
  const held = await findHeldSets(tx, accountId, { setNumbers, limit: RESULTS })
  const units = new Map(held.map((set) => [set.set_number, set.units]))
  return sets.map(({ set_number, title }) => ({ set_number, title, units: units.get(set_number) ?? 0 }))
}

/** Records the sale; the "Calculate" button only computes the result. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  const number = cleanText(new URL(request.url).searchParams.get('set'))
  const form = await request.formData()
  const values = readSaleForm(form)
  if (form.get('intent') === 'preview') return { values, error: undefined }
  const result = await writeAs(db, accountId, async (tx) => {
    const set = await findSetByNumber(tx, number)
    if (!set) throw data('not found', 404)
    const fees = await findSellingFees(tx)
    return submitOnce(tx, accountId, readSubmission(form), async () => {
      const exceeded = await describeExceededLimit(tx, accountId, 'sales', 1)
      if (exceeded !== undefined) return exceeded
      return recordSale(tx, accountId, set.set_number, (lots) =>
        parseSale((name) => values[name], { lots, previousLotIds: [], fees, today: latestPossibleDate() }),
      )
    })
  })
  if (typeof result === 'string') return data({ values, error: result }, 400)
  return redirect(`/sales?done=${values.lot === 'none' ? 'recorded' : 'taken'}`)
}

export default function SaleNew({ loaderData, actionData: result }: Route.ComponentProps) {
  const { query, number, found, selectedSet } = loaderData
  return (
    <Page title="Record sale" description="We remove units from your oldest lots first, unless you choose one.">
      <title>Record sale · Brickmark</title>
      {selectedSet ? (
        <Card
          title={`${selectedSet.number} ${selectedSet.title}`}
          actions={<ButtonLink to="/sales/new">Change set</ButtonLink>}
        >
          <SaleForm
            key={selectedSet.number}
            values={result?.values ?? selectedSet.values}
            serverDate={selectedSet.values.date}
            formContext={selectedSet.formContext}
            submission={selectedSet.submission}
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
                  defaultValue={query || number}
                  autoComplete="off"
                />
              </div>
              <Button variant="main">Search</Button>
            </GetForm>
          </Card>
          {found.length === 0 ? (
            <EmptyState title={query === '' ? 'You don’t own any sets yet' : 'No results'}>
              {query === ''
                ? 'Search for the set you sold. Add it to a collection first if you want to track its cost.'
                : 'Try fewer words, or the set number printed on the box.'}
            </EmptyState>
          ) : (
            <Card title={query === '' ? 'Your sets' : 'Matching sets'}>
              <Table
                caption="Sets"
                rows={found}
                rowKey={(set) => set.set_number}
                columns={[
                  { key: 'set', title: 'Set', cell: (set) => <SetLink setNumber={set.set_number} title={set.title} /> },
                  { key: 'held', title: 'Qty owned', right: true, cell: (set) => set.units.toLocaleString('en-US') },
                  {
                    key: 'choose',
                    title: 'Actions',
                    right: true,
                    cell: (set) => (
                      <ButtonLink
                        to={`/sales/new?${new URLSearchParams({ set: set.set_number })}`}
                        aria-label={`Sell ${set.set_number} ${set.title}`}
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

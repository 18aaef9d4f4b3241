import {
  data,
  Form as GetForm,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { findSellingFees } from '@brickmark/core/market/fee-schedule-queries'
import { findHeldSets } from '@brickmark/core/portfolio/sellable-lot-queries'
import { findSetByNumber, searchSets } from '@brickmark/core/catalog/set-search-queries'
import { recordSale } from '@brickmark/core/portfolio/ledger-sale-commands'
import { readSale } from '@brickmark/core/portfolio/sale-form'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Empty } from '../components/empty-state.tsx'
import { Field } from '../components/field.tsx'
import { Page } from '../components/page.tsx'
import { SaleForm } from '../components/sale-form.tsx'
import { Table } from '../components/table.tsx'
import { lastDay, today } from '../server/edit-lots.ts'
import { plainText } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { findSaleSurroundings, typedSaleOf, type TypedSale } from '../server/sales.ts'

const RESULTS = 25

/** Two steps in one address: choose a set (what is held, or what `q` finds), then (`set`, perhaps `lot`) say how it was sold. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db } = servicesOf(context)
  const { accountId } = signedIn(context)
  const search = new URL(request.url).searchParams
  const [query, number, lot] = [plainText(search.get('q')), plainText(search.get('set')), search.get('lot') ?? '']
  return readAs(db, accountId, async (as) => {
    const set = number === '' ? undefined : await findSetByNumber(as, number)
    if (!set) return { query, number, found: await findSetsToSell(as, accountId, query), chosen: undefined }
    const surroundings = { ...(await findSaleSurroundings(as, accountId, set.set_number)), kept: [] }
    const { lots } = surroundings
    const oldest = lots.some(({ condition }) => condition === 'sealed') ? 'sealed' : lots.length > 0 ? 'used' : 'none'
    const typed: TypedSale = {
      platform: 'ebay',
      date: today(),
      quantity: '1',
      gross: '',
      'platform-fees': '',
      'payment-fees': '',
      shipping: '',
      lot: lots.some(({ id }) => String(id) === lot) ? lot : oldest,
      cost: '',
    }
    return { query, number, found: [], chosen: { number: set.set_number, title: set.title, surroundings, typed } }
  })
}

/** What is held, or whatever matches, with how much of it is held. */
async function findSetsToSell(as: Database, accountId: number, query: string) {
  if (query.length < 2) return findHeldSets(as, accountId, { limit: RESULTS })
  const sets = await searchSets(as, query, RESULTS)
  const setNumbers = sets.map(({ set_number }) => set_number)
  const held = await findHeldSets(as, accountId, { setNumbers, limit: RESULTS })
  const units = new Map(held.map((one) => [one.set_number, one.units]))
  return sets.map(({ set_number, title }) => ({ set_number, title, units: units.get(set_number) ?? 0 }))
}

/** Records the sale; "Work it out" only shows what it would come to. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { db } = servicesOf(context)
  const { accountId } = signedIn(context)
  const number = plainText(new URL(request.url).searchParams.get('set'))
  const form = await request.formData()
  const typed = typedSaleOf(form)
  if (form.get('intent') === 'preview') return { typed, problem: undefined }
  const outcome = await writeAs(db, accountId, async (as) => {
    const set = await findSetByNumber(as, number)
    if (!set) throw data('not found', 404)
    const fees = await findSellingFees(as)
    return recordSale(as, accountId, set.set_number, (lots) =>
      readSale((name) => typed[name], { lots, kept: [], fees, today: lastDay() }),
    )
  })
  if (typeof outcome === 'string') return data({ typed, problem: outcome }, 400)
  return redirect(`/sales?done=${typed.lot === 'none' ? 'recorded' : 'taken'}`)
}

export default function SaleNew() {
  const { query, number, found, chosen } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Page title="Record a sale" lead="Its units leave your collections, the oldest first unless you choose a lot.">
      <title>Record a sale · Brickmark</title>
      {chosen ? (
        <Card
          title={`${chosen.number} ${chosen.title}`}
          actions={
            <ButtonLink to="/sales/new" aria-label="Choose another set">
              Another set
            </ButtonLink>
          }
        >
          <SaleForm
            key={chosen.number}
            typed={result?.typed ?? chosen.typed}
            guessedDay={chosen.typed.date}
            surroundings={chosen.surroundings}
            submit="Record the sale"
            problem={result?.problem}
          />
        </Card>
      ) : (
        <>
          <Card>
            <GetForm className="flex flex-wrap items-end gap-3">
              <div className="min-w-0 flex-1 basis-60">
                <Field
                  label="Number, name, UPC or EAN"
                  name="q"
                  type="search"
                  required
                  minLength={2}
                  defaultValue={query || number}
                  autoComplete="off"
                />
              </div>
              <Button look="main">Search</Button>
            </GetForm>
          </Card>
          {found.length === 0 ? (
            <Empty title={query === '' ? 'You hold no set yet' : 'Nothing found'}>
              {query === ''
                ? 'Look for the set you sold. Its cost is not known until it is in a collection.'
                : 'Every word must begin the number or stand in the name. Try fewer words, or the number on the box.'}
            </Empty>
          ) : (
            <Card title={query === '' ? 'What you hold' : 'Sets that match'}>
              <Table
                caption="Sets to sell"
                rows={found}
                rowKey={(set) => set.set_number}
                columns={[
                  { key: 'set', title: 'Set', cell: (set) => `${set.set_number} ${set.title}` },
                  { key: 'held', title: 'Held', right: true, cell: (set) => set.units.toLocaleString('en-US') },
                  {
                    key: 'choose',
                    title: 'Choose',
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
                <p className="mt-3 text-sm text-ink-soft">The first {RESULTS}. Search for the others.</p>
              )}
            </Card>
          )}
        </>
      )}
    </Page>
  )
}

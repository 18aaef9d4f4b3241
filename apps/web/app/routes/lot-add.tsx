import {
  Form as GetForm,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findBrickfolios } from '@brickmark/core/portfolio/collection-queries'
import { findSetByNumber, searchSets } from '@brickmark/core/catalog/set-search-queries'
import { addLot } from '@brickmark/core/portfolio/lot-commands'
import { MAX_NOTES, MAX_UNITS, readLot } from '@brickmark/core/portfolio/lot'
import { centsOrNull } from '@brickmark/core/primitives/money'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Empty } from '../components/empty-state.tsx'
import { DayField } from '../components/date-field.tsx'
import { Choice, Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { CONDITIONS, STATUSES } from '../components/lot-table.tsx'
import { inDollars, Money } from '../components/money.tsx'
import { Page } from '../components/page.tsx'
import { Table } from '../components/table.tsx'
import { problem } from '../server/call-auth.ts'
import { lastDay, today } from '../server/edit-lots.ts'
import { ownCollectionId, plainText } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'

const RESULTS = 25

/** Three steps in one address: look for a set (`q`), choose one (`set`), say what was bought. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { db } = servicesOf(context)
  const { accountId } = signedIn(context)
  const { id, name } = await readAs(db, accountId, async (as) => {
    const id = await ownCollectionId(as, accountId, params['id'])
    return (await findBrickfolios(as, accountId)).find((one) => one.id === id)!
  })
  const search = new URL(request.url).searchParams
  const [query, number] = [plainText(search.get('q')), plainText(search.get('set'))]
  const chosen = number === '' ? undefined : await findSetByNumber(db, number)
  const found = chosen || query.length < 2 ? [] : await searchSets(db, query, RESULTS)
  return {
    id,
    name,
    query,
    chosen: chosen && { ...chosen, msrp: centsOrNull(chosen.msrp_usd) },
    found: found.map(({ set_number, title, theme, release_year, msrp_usd }) => ({
      number: set_number,
      title,
      theme,
      year: release_year,
      msrp: centsOrNull(msrp_usd),
    })),
    today: today(),
    lastDay: lastDay(),
  }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { accountId } = signedIn(context)
  const { db } = servicesOf(context)
  const form = await request.formData()
  const field = (name: string) => plainText(form.get(name))
  const lot = readLot(field, lastDay())
  const result = await writeAs(db, accountId, async (as) => {
    const id = await ownCollectionId(as, accountId, params['id'])
    const set = await findSetByNumber(as, field('set'))
    if (!set) return `There is no set ${field('set')}.`
    return typeof lot === 'string' ? lot : addLot(as, accountId, id, set.set_number, lot)
  })
  return typeof result === 'string' ? problem(result) : redirect(`/collections/${params['id']}#lot-${result}`)
}

export default function LotAdd() {
  const { id, name, query, chosen, found, today, lastDay } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const here = `/collections/${id}/add`
  return (
    <Page
      title="Add a set"
      lead={
        <>
          To <Link to={`/collections/${id}`}>{name}</Link>
        </>
      }
    >
      <title>Add a set · Brickmark</title>
      <Card>
        <GetForm className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-60">
            <Field
              label="Number, name, UPC or EAN"
              name="q"
              type="search"
              required
              minLength={2}
              defaultValue={query}
              autoComplete="off"
              autoFocus={chosen === undefined}
            />
          </div>
          <Button look={chosen ? 'plain' : 'main'}>Search</Button>
        </GetForm>
      </Card>
      {chosen && (
        <Card title={`${chosen.set_number} ${chosen.title}`}>
          <p className="mb-4 text-ink-soft">
            {[
              chosen.theme,
              chosen.release_year,
              chosen.msrp === null ? undefined : `retail price ${inDollars(chosen.msrp)}`,
            ]
              .filter((part) => part !== undefined && part !== null)
              .join(', ')}
          </p>
          <Form submit="Add it" problem={result?.problem}>
            <input type="hidden" name="set" value={chosen.set_number} />
            <div className="grid gap-4 sm:grid-cols-3">
              <Field label="Units" name="quantity" type="number" required min={1} max={MAX_UNITS} defaultValue={1} />
              <Choice label="Condition" name="condition" options={CONDITIONS} />
              <Choice label="Status" name="status" options={STATUSES} />
              <Field label="Paid each, in dollars" name="price" required inputMode="decimal" hint="0 for a gift." />
              <DayField label="Bought on" name="date" required defaultValue={today} guessed={today} max={lastDay} />
              <Field label="Notes" name="notes" maxLength={MAX_NOTES} />
            </div>
          </Form>
        </Card>
      )}
      {!chosen && found.length > 0 && (
        <Card title={found.length === RESULTS ? `The first ${RESULTS} that match` : `${found.length} found`}>
          <Table
            caption="Sets that match"
            rows={found}
            rowKey={(set) => set.number}
            columns={[
              { key: 'title', title: 'Set', cell: (set) => `${set.number} ${set.title}` },
              { key: 'theme', title: 'Theme', cell: (set) => set.theme },
              { key: 'year', title: 'Year', right: true, cell: (set) => set.year ?? '–' },
              { key: 'msrp', title: 'Retail price', right: true, cell: (set) => <Money cents={set.msrp} /> },
              {
                key: 'choose',
                title: 'Choose',
                right: true,
                cell: (set) => (
                  <ButtonLink
                    to={`${here}?${new URLSearchParams({ q: query, set: set.number })}`}
                    aria-label={`Choose ${set.number} ${set.title}`}
                  >
                    Choose
                  </ButtonLink>
                ),
              },
            ]}
          />
        </Card>
      )}
      {!chosen && query.length >= 2 && found.length === 0 && (
        <Empty title="Nothing found">
          Every word must begin the number or stand in the name. Try fewer words, or the number on the box.
        </Empty>
      )}
    </Page>
  )
}

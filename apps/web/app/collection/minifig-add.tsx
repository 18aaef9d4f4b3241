import { Form as GetForm, Link } from 'react-router'
import { findMinifigNumber, searchMinifigs } from '@brickmark/core/catalog/minifig-search-queries'
import { loadMinifigs } from '@brickmark/core/market/values/minifig-record-queries'
import { AddTabs } from './add-tabs.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Form, SubmissionField } from '../ui/form.tsx'
import { ItemLink } from '../ui/item-link.tsx'
import { Money } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { PurchaseFields } from './purchase-fields.tsx'
import { Table } from '../ui/table.tsx'
import { loadAddForm, submitLot } from './add-lot.server.ts'
import { getServices } from '../request/context.server.ts'
import { cleanText } from '../request/input.server.ts'
import { minifigItem } from '@brickmark/core/portfolio/item'
import type { Route } from './+types/minifig-add.ts'

const MAX_RESULTS = 25

/** Search for a minifig (`q`), choose one (`minifig`), enter the purchase. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const formData = await loadAddForm(context, params.id)
  const search = new URL(request.url).searchParams
  const query = cleanText(search.get('q'))
  const number = await findMinifigNumber(db, cleanText(search.get('minifig')))
  const found = number === undefined ? await searchMinifigs(db, query, MAX_RESULTS) : []
  const numbers = number === undefined ? found.map(({ minifig_number }) => minifig_number) : [number]
  const records = new Map((await loadMinifigs(db, numbers)).map((record) => [record.minifig_number, record]))
  const minifigs = numbers.map((number) => ({
    number,
    name: records.get(number)?.name ?? number,
    category: records.get(number)?.category ?? null,
    value: records.get(number)?.value?.value ?? null,
  }))
  return { ...formData, query, selected: number === undefined ? undefined : minifigs[0], results: minifigs }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return submitLot(context, params.id, await request.formData(), 'minifig', async (tx, field) => {
    const number = await findMinifigNumber(tx, field('minifig'))
    return number === undefined ? `Minifig ${field('minifig')} not found.` : { minifig_number: number }
  })
}

export default function MinifigAdd({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name, query, selected, results, today, maxDate, submission } = loaderData
  const here = `/collections/${id}/add/minifig`
  return (
    <Page
      title="Add minifig"
      description={
        <>
          To <Link to={`/collections/${id}`}>{name}</Link>
        </>
      }
    >
      <title>Add minifig · Brickmark</title>
      <AddTabs collectionId={id} selected="minifig" />
      <Card>
        <GetForm className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-60">
            <TextField
              label="Minifig number or name"
              name="q"
              type="search"
              required
              minLength={2}
              defaultValue={query}
              autoComplete="off"
            />
          </div>
          <Button variant={selected ? 'plain' : 'main'}>Search</Button>
        </GetForm>
        <p className="mt-3 text-sm text-ink-soft">
          A minifig you add here counts once. Minifigs inside your sealed sets are already in the value of the set.
        </p>
      </Card>
      {selected && (
        <Card title={`${selected.number} ${selected.name}`}>
          <p className="mb-4 text-ink-soft">
            {selected.value === null ? (
              'We have no value for it yet.'
            ) : (
              <>
                Used value <Money cents={selected.value} /> each
              </>
            )}
          </p>
          <Form submitLabel="Add to collection" error={result?.actionError}>
            <input type="hidden" name="minifig" value={selected.number} />
            <SubmissionField token={submission} />
            <div className="grid items-start gap-4 sm:grid-cols-3">
              <PurchaseFields today={today} maxDate={maxDate} />
            </div>
          </Form>
        </Card>
      )}
      {!selected && results.length > 0 && (
        <Card title={results.length === MAX_RESULTS ? `First ${MAX_RESULTS} results` : 'Results'}>
          <Table
            caption="Matching minifigs"
            narrowLayout="lines"
            rows={results}
            rowKey={(minifig) => minifig.number}
            columns={[
              {
                key: 'minifig',
                inLines: true,
                title: 'Minifig',
                cell: (minifig) => <ItemLink item={minifigItem(minifig.number)} title={minifig.name} />,
              },
              { key: 'category', title: 'Category', cell: (minifig) => minifig.category ?? '—' },
              {
                key: 'value',
                inLines: true,
                title: 'Used value',
                right: true,
                cell: (minifig) => <Money cents={minifig.value} />,
              },
              {
                key: 'choose',
                inLines: true,
                title: 'Select',
                right: true,
                cell: (minifig) => (
                  <ButtonLink
                    to={`${here}?${new URLSearchParams({ q: query, minifig: minifig.number })}`}
                    aria-label={`Select ${minifig.number} ${minifig.name}`}
                  >
                    Select
                  </ButtonLink>
                ),
              },
            ]}
          />
        </Card>
      )}
      {!selected && query.length >= 2 && results.length === 0 && (
        <EmptyState title="No results">
          Try fewer words, or <Link to={`/collections/${id}/add/custom`}>add it as a custom item</Link>.
        </EmptyState>
      )}
    </Page>
  )
}

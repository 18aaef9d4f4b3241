import { Form as GetForm, Link, redirect } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { findCollections } from '@brickmark/core/portfolio/collection-queries'
import { findSetByNumber, searchSets } from '@brickmark/core/catalog/set-search-queries'
import { submitOnce } from '@brickmark/core/portfolio/form-submission-commands'
import { addLot } from '@brickmark/core/portfolio/lot-commands'
import { MAX_NOTES, MAX_UNITS, parseLot } from '@brickmark/core/portfolio/lot'
import { AddTabs } from './add-tabs.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { DateField } from '../ui/date-field.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form, SubmissionField } from '../ui/form.tsx'
import { CONDITIONS, STATUSES } from './lot-table.tsx'
import { formatUsd } from '@brickmark/core/primitives/format-money'
import { Money } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { actionError } from '../request/action-result.server.ts'
import { latestPossibleDate, today } from '../request/today.server.ts'
import { requireOwnedCollection } from './collection.server.ts'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { newSubmission, readSubmission } from '../request/form.server.ts'
import type { Route } from './+types/lot-add.ts'

const MAX_RESULTS = 25

/** Three steps on one URL: search for a set (`q`), choose one (`set`), enter the purchase. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  const { id, name } = await readAs(db, accountId, async (tx) => {
    const id = await requireOwnedCollection(tx, accountId, params.id)
    return (await findCollections(tx, accountId)).find((collection) => collection.id === id)!
  })
  const search = new URL(request.url).searchParams
  const [query, number] = [cleanText(search.get('q')), cleanText(search.get('set'))]
  const selectedSet = number === '' ? undefined : await findSetByNumber(db, number)
  const results = selectedSet || query.length < 2 ? [] : await searchSets(db, query, MAX_RESULTS)
  return {
    id,
    name,
    query,
    selectedSet: selectedSet && { ...selectedSet, msrp: selectedSet.msrp_cents },
    results: results.map(({ set_number, title, theme, release_year, msrp_cents }) => ({
      number: set_number,
      title,
      theme,
      year: release_year,
      msrp: msrp_cents,
    })),
    today: today(),
    maxDate: latestPossibleDate(),
    submission: newSubmission(),
  }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const { db } = getServices(context)
  const form = await request.formData()
  const field = (name: string) => cleanText(form.get(name))
  const lot = parseLot(field, latestPossibleDate())
  const result = await writeAs(db, accountId, async (tx) => {
    const id = await requireOwnedCollection(tx, accountId, params.id)
    const set = await findSetByNumber(tx, field('set'))
    if (!set) return `Set ${field('set')} not found.`
    if (typeof lot === 'string') return lot
    return submitOnce(tx, accountId, readSubmission(form), async () => {
      const exceeded = await describeExceededLimit(tx, accountId, 'lots', 1)
      return exceeded ?? addLot(tx, accountId, id, { set_number: set.set_number }, lot)
    })
  })
  if (typeof result === 'string') return actionError(result)
  return redirect(`/collections/${params.id}${result === undefined ? '' : `#lot-${result}`}`)
}

export default function LotAdd({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name, query, selectedSet, results, today, maxDate, submission } = loaderData
  const here = `/collections/${id}/add`
  return (
    <Page
      title="Add set"
      description={
        <>
          To <Link to={`/collections/${id}`}>{name}</Link>
        </>
      }
    >
      <title>Add set · Brickmark</title>
      <AddTabs collectionId={id} selected="set" />
      <Card>
        <GetForm className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-60">
            <TextField
              label="Set number, name or barcode"
              name="q"
              type="search"
              required
              minLength={2}
              defaultValue={query}
              autoComplete="off"
              autoFocus={selectedSet === undefined}
            />
          </div>
          <Button variant={selectedSet ? 'plain' : 'main'}>Search</Button>
        </GetForm>
      </Card>
      {selectedSet && (
        <Card title={`${selectedSet.set_number} ${selectedSet.title}`}>
          <p className="mb-4 text-ink-soft">
            {[
              selectedSet.theme,
              selectedSet.release_year,
              selectedSet.msrp === null ? undefined : `retail price ${formatUsd(selectedSet.msrp)}`,
            ]
              .filter((part) => part !== undefined && part !== null)
              .join(', ')}
          </p>
          <Form submitLabel="Add to collection" error={result?.actionError}>
            <input type="hidden" name="set" value={selectedSet.set_number} />
            <SubmissionField token={submission} />
            <div className="grid gap-4 sm:grid-cols-3">
              <TextField
                label="Quantity"
                name="quantity"
                type="number"
                required
                min={1}
                max={MAX_UNITS}
                defaultValue={1}
              />
              <SelectField label="Condition" name="condition" options={CONDITIONS} />
              <SelectField label="Status" name="status" options={STATUSES} />
              <TextField
                label="Purchase price (USD, each)"
                name="price"
                inputMode="decimal"
                hint="Enter 0 for gifts. Leave blank if unknown."
              />
              <DateField
                label="Purchase date"
                name="date"
                hint="Leave blank if unknown."
                defaultValue={today}
                serverDefault={today}
                max={maxDate}
              />
              <TextField label="Notes" name="notes" maxLength={MAX_NOTES} />
            </div>
          </Form>
        </Card>
      )}
      {!selectedSet && results.length > 0 && (
        <Card
          title={
            results.length === MAX_RESULTS
              ? `First ${MAX_RESULTS} results`
              : results.length === 1
                ? '1 result'
                : `${results.length} results`
          }
        >
          <Table
            caption="Matching sets"
            rows={results}
            rowKey={(set) => set.number}
            columns={[
              { key: 'title', title: 'Set', cell: (set) => `${set.number} ${set.title}` },
              { key: 'theme', title: 'Theme', cell: (set) => set.theme },
              { key: 'year', title: 'Year', right: true, cell: (set) => set.year ?? '—' },
              { key: 'msrp', title: 'Retail price', right: true, cell: (set) => <Money cents={set.msrp} /> },
              {
                key: 'choose',
                title: 'Select',
                right: true,
                cell: (set) => (
                  <ButtonLink
                    to={`${here}?${new URLSearchParams({ q: query, set: set.number })}`}
                    aria-label={`Select ${set.number} ${set.title}`}
                  >
                    Select
                  </ButtonLink>
                ),
              },
            ]}
          />
        </Card>
      )}
      {!selectedSet && query.length >= 2 && results.length === 0 && (
        <EmptyState title="No results">Try fewer words, or the set number printed on the box.</EmptyState>
      )}
    </Page>
  )
}

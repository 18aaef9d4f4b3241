import { X } from 'lucide-react'
import { data, Form as GetForm, Link, Outlet, redirect, useSearchParams } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findLotFacets, findLots } from '@brickmark/core/portfolio/lot-queries'
import { findLotViews } from '@brickmark/core/portfolio/lot-view-queries'
import { valueLot } from '@brickmark/core/portfolio/portfolio'
import { BulkEdit } from './bulk-edit.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CollectionStats } from './collection-stats.tsx'
import { CollectionViews } from './collection-views.tsx'
import { LOT_FILTERS } from './lot-list.ts'
import { CollectionTabs } from './collection-tabs.tsx'
import { UnvaluedCopies } from './unvalued-copies.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { LotColumnsMenu } from './lot-columns-menu.tsx'
import { CONDITIONS, DEFAULT_LOT_COLUMNS, LotTable, STATUSES, type LotRow } from './lot-table.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { revalidateOnConflict } from './revalidate-on-conflict.ts'
import { handleLotAction } from './edit-lots.server.ts'
import { commonFilters, findCollection, parseLotQuery } from './collection.server.ts'
import { today } from '../request/today.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/collection.ts'

const LIMIT = 50

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const { edit, ...listQuery } = parseLotQuery(new URL(request.url).searchParams)
  return readAs(getServices(context).db, accountId, async (tx) => {
    const { collection, collections, asOf } = await findCollection(tx, accountId, params.id)
    const { lots, matching } = await findLots(tx, accountId, collection.id, { ...listQuery, limit: LIMIT })
    const otherCollections = collections
      .filter((other) => other.id !== collection.id)
      .map(({ id, name }) => ({ id, name }))
    const facets = await findLotFacets(tx, accountId, collection.id)
    const views = await findLotViews(tx, accountId, collection.id, commonFilters())
    return {
      collection,
      otherCollections,
      asOf,
      lots: lots.map(toLotRow),
      matching,
      views,
      facets,
      listQuery,
      edit,
      today: today(),
    }
  })
}

function toLotRow(lot: Awaited<ReturnType<typeof findLots>>['lots'][number]): LotRow {
  const price = lot.purchase_price_cents
  const unitValue = lot.value_cents
  const { value, gain, gainPct } = valueLot({ quantity: lot.quantity, unitCost: price, unitValue })
  return {
    id: lot.id,
    item: lot.item,
    title: lot.title,
    theme: lot.theme,
    year: lot.release_year,
    quantity: lot.quantity,
    condition: lot.condition,
    status: lot.status,
    price,
    date: lot.purchase_date,
    notes: lot.notes,
    unitValue,
    ownValueDate: lot.own_value_date,
    reviewMonths: lot.review_months,
    reviewDate: lot.review_date,
    version: lot.version,
    value,
    gain,
    // A gift (cost 0) has no percentage. The API returns 0 here, which on the page would read as no gain.
    gainPct: price === 0 ? null : gainPct,
  }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { searchParams: search } = new URL(request.url)
  const result = await handleLotAction(context, params.id, await request.formData(), search)
  if ('view' in result) return redirect(`/collections/${params.id}${result.view && `?${result.view}`}`)
  if (!('saved' in result)) return data(result, { status: 'problem' in result ? result.status : 200 })
  search.delete('edit')
  return redirect(`/collections/${params.id}?${search}#lot-${result.saved}`)
}

export const shouldRevalidate = revalidateOnConflict

const BULK_FORM = 'bulk'

/** Filters that only views set. */
const VIEW_LABELS: [string, string][] = [
  ['loss', 'Losing money'],
  ['unknown', 'No purchase price'],
]

const RETIRED_OPTIONS: [string, string][] = [
  ['yes', 'Retired'],
  ['no', 'Not retired'],
]

function filterLabel(name: string, value: string): string {
  if (name === 'q') return `“${value}”`
  return new Map([...CONDITIONS, ...STATUSES, ...RETIRED_OPTIONS, ...VIEW_LABELS]).get(value) ?? value
}

export default function CollectionPage({ loaderData, actionData: result }: Route.ComponentProps) {
  const { collection, otherCollections, asOf, lots, matching, views, facets, listQuery, edit, today } = loaderData
  const total = matching.lots
  const [search] = useSearchParams()
  const here = `/collections/${collection.id}`
  const hrefWith = (changes: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    }
    return next.size === 0 ? here : `${here}?${next}`
  }
  const filter = LOT_FILTERS.flatMap((name): [string, string][] => {
    const value = search.get(name)
    return value ? [[name, value]] : []
  })
  const chosenColumns = search.getAll('column')
  const visibleColumns = chosenColumns.length === 0 ? DEFAULT_LOT_COLUMNS : chosenColumns
  const { summary } = collection
  const errorFor = (intent: string) =>
    result && 'problem' in result && result.intent === intent ? result.problem : undefined
  return (
    <Page
      title={collection.name}
      description={collection.description ?? undefined}
      asOf={asOf}
      actions={
        <>
          <ButtonLink to={`${here}/add`} variant="main">
            Add
          </ButtonLink>
          <ButtonLink to={`/import?into=${collection.id}`}>Import</ButtonLink>
          <ButtonLink to={`/collections/export.csv?collection=${collection.id}`} reloadDocument>
            Export
          </ButtonLink>
          <ButtonLink to={`${here}/settings`} preventScrollReset>
            Settings
          </ButtonLink>
        </>
      }
    >
      <title>{`${collection.name} · Brickmark`}</title>
      <CollectionTabs id={collection.id} selected="lots" />
      {result && 'done' in result && <Notice tone="gain">{result.done}</Notice>}
      {errorFor('edit') !== undefined && <Notice tone="loss">{errorFor('edit')}</Notice>}
      <CollectionStats summary={summary} />
      <UnvaluedCopies count={summary.excluded.withoutValue} />
      {summary.items === 0 ? (
        <EmptyState title="This collection is empty" action={<ButtonLink to={`${here}/add`}>Add</ButtonLink>}>
          Add your first set, minifig or other item, or import a file.
        </EmptyState>
      ) : (
        <>
          {errorFor('save-view') !== undefined && <Notice tone="loss">{errorFor('save-view')}</Notice>}
          <CollectionViews here={here} views={views} search={search} />
          <Card>
            <GetForm className="mb-4 grid grid-cols-2 items-end gap-3 lg:grid-cols-[2fr_repeat(5,1fr)_auto]">
              {listQuery.sortBy !== 'added' && <input type="hidden" name="by" value={listQuery.sortBy} />}
              {listQuery.sortBy !== 'added' && listQuery.descending && (
                <input type="hidden" name="order" value="descending" />
              )}
              {chosenColumns.map((column) => (
                <input key={column} type="hidden" name="column" value={column} />
              ))}
              <TextField
                label="Search"
                name="q"
                defaultValue={search.get('q') ?? ''}
                placeholder="Number, title or notes"
              />
              <SelectField
                label="Condition"
                name="condition"
                defaultValue={listQuery.filter.condition ?? ''}
                options={[['', 'Any'], ...CONDITIONS]}
              />
              <SelectField
                label="Status"
                name="status"
                defaultValue={listQuery.filter.status ?? ''}
                options={[['', 'Any'], ...STATUSES]}
              />
              <SelectField
                label="Theme"
                name="theme"
                defaultValue={listQuery.filter.theme ?? ''}
                options={[['', 'Any'], ...facets.themes.map((theme): [string, string] => [theme, theme])]}
              />
              <SelectField
                label="Year"
                name="year"
                defaultValue={String(listQuery.filter.year ?? '')}
                options={[['', 'Any'], ...facets.years.map((year): [string, string] => [String(year), String(year)])]}
              />
              <SelectField
                label="Retired"
                name="retired"
                defaultValue={search.get('retired') ?? ''}
                options={[['', 'Any'], ...RETIRED_OPTIONS]}
              />
              <Button>Apply</Button>
            </GetForm>
            <div className="mb-2 flex flex-wrap items-start justify-between gap-2 text-sm">
              <ul aria-label="Active filters" className="flex flex-wrap gap-2">
                {filter.map(([name, value]) => (
                  <li key={name}>
                    <Link
                      to={hrefWith({ [name]: undefined, offset: undefined })}
                      preventScrollReset
                      className="inline-flex items-center gap-1.5 rounded-full border border-accent bg-accent-soft px-3 py-1 text-accent no-underline"
                    >
                      {filterLabel(name, value)} <X aria-label="Remove filter" className="size-3.5" />
                    </Link>
                  </li>
                ))}
              </ul>
              <LotColumnsMenu visible={visibleColumns} search={search} />
            </div>
            {total === 0 ? (
              <EmptyState title="No matching lots" action={<ButtonLink to={here}>Clear filters</ButtonLink>}>
                Try different filters, or clear them.
              </EmptyState>
            ) : (
              <LotTable
                rows={lots}
                visibleColumns={visibleColumns}
                bulkForm={BULK_FORM}
                today={today}
                editing={edit}
                editPath={(id) => hrefWith({ edit: id === undefined ? undefined : String(id) })}
                sorting={{
                  by: listQuery.sortBy,
                  descending: listQuery.descending,
                  to: (by, descending) =>
                    hrefWith({ by, order: descending ? 'descending' : undefined, offset: undefined }),
                }}
              />
            )}
            <Pager
              offset={listQuery.offset}
              limit={LIMIT}
              total={total}
              to={(offset) => hrefWith({ offset: String(offset), edit: undefined })}
            />
          </Card>
          {total > 0 && (
            <BulkEdit
              id={BULK_FORM}
              rows={lots}
              matching={matching}
              collections={otherCollections}
              deletePath={`${here}/delete-lots`}
              filter={filter}
              error={errorFor('bulk')}
            />
          )}
        </>
      )}
      <ApiSnippets
        path={`/brickfolio/entries?brickfolio_id=${collection.id}&limit=250`}
        cost={1}
        sheetsFormula="=BRICK_HOLDINGS()"
        cliCommand={`brickmark entries --brickfolio ${collection.id}`}
      />
      <Outlet />
    </Page>
  )
}

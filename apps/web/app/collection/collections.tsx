import { Link, redirect } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { createCollection } from '@brickmark/core/portfolio/collection-commands'
import { MAX_COLLECTION_NAME } from '@brickmark/core/portfolio/lot'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { ApiSnippets } from '../ui/api-snippets.tsx'
import { Delta, Money } from '../ui/money.tsx'
import { Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { actionError } from '../request/action-result.server.ts'
import { loadCollections, type Collection } from './collection.server.ts'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/collections.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  return readAs(getServices(context).db, accountId, (tx) => loadCollections(tx, accountId))
}

export async function action({ request, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const name = cleanText((await request.formData()).get('name'))
  if (name === '' || name.length > MAX_COLLECTION_NAME)
    return actionError(`Enter a name (up to ${MAX_COLLECTION_NAME} characters).`)
  const result = await writeAs(getServices(context).db, accountId, async (tx) => {
    const exceeded = await describeExceededLimit(tx, accountId, 'collections', 1)
    if (exceeded !== undefined) return exceeded
    return (await createCollection(tx, accountId, name)) ?? 'You already have a collection with that name.'
  })
  return typeof result === 'string' ? actionError(result) : redirect(`/collections/${result}`)
}

export default function Collections({ loaderData, actionData: result }: Route.ComponentProps) {
  const { collections, asOf } = loaderData
  return (
    <Page
      title="Collections"
      asOf={asOf}
      actions={
        <>
          <ButtonLink to="/import">Import</ButtonLink>
          {collections.length > 0 && (
            <>
              <ButtonLink to="/collections/all/performance">Performance</ButtonLink>
              <ButtonLink to="/collections/export.csv" reloadDocument>
                Export all
              </ButtonLink>
            </>
          )}
        </>
      }
    >
      <title>Collections · Brickmark</title>
      {collections.length === 0 ? (
        <EmptyState title="No collections yet" action={<ButtonLink to="/import">Import</ButtonLink>}>
          Create one below, or import from Rebrickable, Brickset, BrickEconomy, BrickLink or a spreadsheet.
        </EmptyState>
      ) : (
        <Card>
          <Table
            caption="Your collections"
            rows={collections}
            rowKey={(collection) => collection.id}
            columns={[
              {
                key: 'name',
                title: 'Collection',
                cell: (collection) => (
                  <span>
                    <Link to={`/collections/${collection.id}`}>{collection.name}</Link>{' '}
                    {collection.isDefault && <Badge tone="accent">Default</Badge>}
                    {collection.description !== null && (
                      <span className="block text-sm font-normal text-ink-soft">{collection.description}</span>
                    )}
                  </span>
                ),
              },
              {
                key: 'items',
                title: 'Items',
                right: true,
                cell: ({ summary }) => summary.distinctItems.toLocaleString('en-US'),
              },
              { key: 'units', title: 'Qty', right: true, cell: ({ summary }) => summary.items.toLocaleString('en-US') },
              { key: 'cost', title: 'Cost basis', right: true, cell: ({ summary }) => <Money cents={summary.cost} /> },
              { key: 'gain', title: 'Gain', right: true, cell: ({ summary }) => <Delta cents={summary.gain} /> },
              ...(collections.some(({ summary }) => summary.excluded.withoutCost > 0)
                ? [
                    {
                      key: 'unknown',
                      title: 'No purchase price',
                      right: true,
                      cell: ({ summary }: Collection) => <Money cents={summary.valueWithoutCost} />,
                    },
                  ]
                : []),
              { key: 'value', title: 'Value', right: true, cell: ({ summary }) => <Money cents={summary.value} /> },
            ]}
          />
        </Card>
      )}
      <Card title="New collection">
        <div className="max-w-sm">
          <Form submitLabel="Create" error={result?.actionError}>
            <TextField
              label="Name"
              name="name"
              required
              maxLength={MAX_COLLECTION_NAME}
              placeholder="e.g. Sealed stock"
            />
          </Form>
        </div>
      </Card>
      <ApiSnippets path="/brickfolio" cost={1} cliCommand="brickmark portfolio" />
    </Page>
  )
}

import { redirect } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { deleteCollection } from '@brickmark/core/portfolio/collection-commands'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { actionError } from '../request/action-result.server.ts'
import { findCollection, requireOwnedCollection } from './collection.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/collection-delete.ts'

export async function loader({ params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const { collection } = await readAs(getServices(context).db, accountId, (tx) =>
    findCollection(tx, accountId, params.id),
  )
  return { collection }
}

export async function action({ params, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const deleted = await writeAs(getServices(context).db, accountId, async (tx) =>
    deleteCollection(tx, accountId, await requireOwnedCollection(tx, accountId, params.id)),
  )
  return deleted
    ? redirect('/collections')
    : actionError('You can’t delete your default collection. Make another one the default first.')
}

export default function CollectionDelete({ loaderData, actionData: result }: Route.ComponentProps) {
  const { collection } = loaderData
  const { items } = collection.summary
  return (
    <Dialog title={`Delete ${collection.name}?`} closePath={`/collections/${collection.id}`}>
      <title>{`Delete ${collection.name} · Brickmark`}</title>
      <Form
        submitLabel={items === 0 ? 'Delete collection' : 'Delete collection and lots'}
        variant="danger"
        error={result?.actionError}
      >
        <p>
          {items === 0
            ? 'This collection is empty.'
            : `This also deletes the ${items.toLocaleString('en-US')} ${items === 1 ? 'unit' : 'units'} in it and can’t be undone. Consider exporting it first.`}{' '}
          Your recorded sales are kept.
        </p>
      </Form>
    </Dialog>
  )
}

import { redirect } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { setDefaultCollection, updateCollection } from '@brickmark/core/portfolio/collection-commands'
import { MAX_COLLECTION_NAME, MAX_NOTES } from '@brickmark/core/portfolio/lot'
import { ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { actionError } from '../request/action-result.server.ts'
import { changeShelf, loadShelf } from './shelf-settings.server.ts'
import { ShelfSettings } from './shelf-settings.tsx'
import { findCollection, requireOwnedCollection } from './collection.server.ts'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/collection-settings.ts'

export async function loader({ params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const services = getServices(context)
  return readAs(services.db, accountId, async (tx) => {
    const { collection } = await findCollection(tx, accountId, params.id)
    return { collection, shelf: await loadShelf(tx, services, accountId, collection.id) }
  })
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const form = await request.formData()
  const shared = await changeShelf(getServices(context), accountId, { id: params.id, form })
  if (shared !== undefined) return shared
  const [name, description] = [cleanText(form.get('name')), cleanText(form.get('description'))]
  const error = await writeAs(getServices(context).db, accountId, async (tx) => {
    const id = await requireOwnedCollection(tx, accountId, params.id)
    if (form.get('intent') === 'default') {
      await setDefaultCollection(tx, accountId, id)
      return undefined
    }
    if (name === '' || name.length > MAX_COLLECTION_NAME)
      return `Enter a name (up to ${MAX_COLLECTION_NAME} characters).`
    if (description.length > MAX_NOTES)
      return `Use at most ${MAX_NOTES.toLocaleString('en-US')} characters for the description.`
    const details = { name, description: description === '' ? null : description }
    if (!(await updateCollection(tx, accountId, id, details))) return 'You already have a collection with that name.'
    return undefined
  })
  return error === undefined ? redirect(`/collections/${params.id}`) : actionError(error)
}

export default function CollectionSettings({ loaderData, actionData: result }: Route.ComponentProps) {
  const { collection, shelf } = loaderData
  const collectionPath = `/collections/${collection.id}`
  return (
    <Dialog title="Collection settings" closePath={collectionPath}>
      <title>{`${collection.name} settings · Brickmark`}</title>
      <Form submitLabel="Save" intent="rename" error={result?.actionError}>
        <TextField label="Name" name="name" required maxLength={MAX_COLLECTION_NAME} defaultValue={collection.name} />
        <TextField
          label="Description"
          name="description"
          maxLength={MAX_NOTES}
          defaultValue={collection.description ?? ''}
          hint="Optional"
        />
      </Form>
      <ShelfSettings collectionName={collection.name} shelf={shelf} />
      <div className="mt-5 flex flex-wrap gap-2 border-t border-line pt-4">
        {collection.isDefault ? (
          <p className="text-sm text-ink-soft">
            This is your default collection. To delete it, make another collection the default first.
          </p>
        ) : (
          <>
            <Form submitLabel="Make default" variant="plain" intent="default" />
            <ButtonLink to={`${collectionPath}/delete`} variant="danger" preventScrollReset>
              Delete…
            </ButtonLink>
          </>
        )}
      </div>
    </Dialog>
  )
}

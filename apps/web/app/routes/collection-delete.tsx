import { redirect, useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { deleteBrickfolio } from '@brickmark/core/portfolio/collection-commands'
import { Dialog } from '../components/dialog.tsx'
import { Form } from '../components/form.tsx'
import { problem } from '../server/call-auth.ts'
import { findCollection, ownCollectionId } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const { collection } = await readAs(servicesOf(context).db, accountId, (as) =>
    findCollection(as, accountId, params['id']),
  )
  return { collection }
}

export async function action({ params, context }: ActionFunctionArgs) {
  const { accountId } = signedIn(context)
  const deleted = await writeAs(servicesOf(context).db, accountId, async (as) =>
    deleteBrickfolio(as, accountId, await ownCollectionId(as, accountId, params['id'])),
  )
  return deleted ? redirect('/collections') : problem('Make another collection the default first.')
}

export default function CollectionDelete() {
  const { collection } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const { items } = collection.totals
  return (
    <Dialog title={`Delete ${collection.name}?`} closeTo={`/collections/${collection.id}`}>
      <title>{`Delete ${collection.name} · Brickmark`}</title>
      <Form
        submit={items === 0 ? 'Delete the collection' : 'Delete it with its lots'}
        look="danger"
        problem={result?.problem}
      >
        <p>
          {items === 0
            ? 'It is empty.'
            : `The ${items.toLocaleString('en-US')} ${items === 1 ? 'unit' : 'units'} in it go with it. This cannot be undone: export it first if you may want it back.`}{' '}
          Recorded sales stay.
        </p>
      </Form>
    </Dialog>
  )
}

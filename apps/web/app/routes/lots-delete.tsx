import {
  data,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { countLots } from '@brickmark/core/portfolio/lot-queries'
import { removeLots } from '@brickmark/core/portfolio/lot-commands'
import { ButtonLink } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Form } from '../components/form.tsx'
import { revalidateStale } from '../components/revalidate-on-conflict.ts'
import { lotSelectionOf, ownCollectionId } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'

/** The address carries which lots are meant: ticked ones, or all that a filter lists. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const search = new URL(request.url).searchParams
  return readAs(servicesOf(context).db, accountId, async (as) => {
    const id = await ownCollectionId(as, accountId, params['id'])
    return { id, ...(await countLots(as, accountId, id, lotSelectionOf(search, search))) }
  })
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { accountId } = signedIn(context)
  const search = new URL(request.url).searchParams
  const form = await request.formData()
  const removed = await writeAs(servicesOf(context).db, accountId, async (as) => {
    const id = await ownCollectionId(as, accountId, params['id'])
    const selection = lotSelectionOf(search, search)
    const { lots, units } = await countLots(as, accountId, id, selection)
    if (form.get('lots') !== `${lots} ${units}`) return undefined
    await removeLots(as, accountId, id, selection)
    return id
  })
  return removed === undefined ? data(CHANGED, 409) : redirect(`/collections/${removed}`)
}

export const shouldRevalidate = revalidateStale

const CHANGED = 'Nothing was deleted: the lots have changed since you were asked. If you still mean them, press again.'

export default function LotsDelete() {
  const { id, lots, units } = useLoaderData<typeof loader>()
  const problem = useActionData<typeof action>()
  const here = `/collections/${id}`
  if (lots === 0) {
    return (
      <Dialog title="Nothing is selected" closeTo={here}>
        <title>Delete lots · Brickmark</title>
        <p className="mb-4">Tick lots in the table, then press Delete again.</p>
        <ButtonLink to={here}>Back</ButtonLink>
      </Dialog>
    )
  }
  const what = `${lots.toLocaleString('en-US')} ${lots === 1 ? 'lot' : 'lots'}`
  return (
    <Dialog title={`Delete ${what}?`} closeTo={here}>
      <title>Delete lots · Brickmark</title>
      <Form submit={`Delete ${what}`} look="danger" problem={problem}>
        <input type="hidden" name="lots" value={`${lots} ${units}`} />
        <p>
          {units.toLocaleString('en-US')} {units === 1 ? 'unit goes' : 'units go'} from this collection. This cannot be
          undone. Recorded sales stay.
        </p>
      </Form>
    </Dialog>
  )
}

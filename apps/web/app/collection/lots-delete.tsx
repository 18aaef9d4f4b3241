import { data, redirect } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { countLots } from '@brickmark/core/portfolio/lot-queries'
import { deleteLots } from '@brickmark/core/portfolio/lot-commands'
import { ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { countOf } from '../ui/count-of.ts'
import { Form } from '../ui/form.tsx'
import { Money } from '../ui/money.tsx'
import { revalidateOnConflict } from './revalidate-on-conflict.ts'
import { parseLotSelection, requireOwnedCollection } from './collection.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/lots-delete.ts'

/** Loads the confirmation. The URL holds the selection: individual lots, or all that match a filter. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const search = new URL(request.url).searchParams
  return readAs(getServices(context).db, accountId, async (tx) => {
    const id = await requireOwnedCollection(tx, accountId, params.id)
    return { id, ...(await countLots(tx, accountId, id, parseLotSelection(search, search))) }
  })
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const search = new URL(request.url).searchParams
  const form = await request.formData()
  const removed = await writeAs(getServices(context).db, accountId, async (tx) => {
    const id = await requireOwnedCollection(tx, accountId, params.id)
    const selection = parseLotSelection(search, search)
    const { lots, units } = await countLots(tx, accountId, id, selection)
    if (form.get('lots') !== `${lots} ${units}`) return undefined
    await deleteLots(tx, accountId, id, selection)
    return id
  })
  return removed === undefined ? data(SELECTION_CHANGED_ERROR, 409) : redirect(`/collections/${removed}`)
}

export const shouldRevalidate = revalidateOnConflict

const SELECTION_CHANGED_ERROR =
  'Your selection changed, so nothing was deleted. Review the new count and confirm again.'

export default function LotsDelete({ loaderData, actionData }: Route.ComponentProps) {
  const { id, lots, units, value } = loaderData
  const problem = actionData
  const here = `/collections/${id}`
  if (lots === 0) {
    return (
      <Dialog title="No lots selected" closePath={here}>
        <title>Delete lots · Brickmark</title>
        <p className="mb-4">Select lots in the table, then choose Delete.</p>
        <ButtonLink to={here}>Back</ButtonLink>
      </Dialog>
    )
  }
  const lotCount = countOf(lots, 'lot')
  return (
    <Dialog title={`Delete ${lotCount}?`} closePath={here}>
      <title>Delete lots · Brickmark</title>
      <Form submitLabel={`Delete ${lotCount}`} variant="danger" error={problem}>
        <input type="hidden" name="lots" value={`${lots} ${units}`} />
        <p>
          This removes {countOf(units, 'copy', 'copies')}
          {value !== null && (
            <>
              {' '}
              worth <Money cents={value} />
            </>
          )}{' '}
          from the collection and can’t be undone. Your recorded sales are kept.
        </p>
      </Form>
    </Dialog>
  )
}

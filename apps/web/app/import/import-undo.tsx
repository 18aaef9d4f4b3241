import { data, redirect } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { countUndoableLots, findImport } from '@brickmark/core/portfolio/lot-import-queries'
import { undoImport } from '@brickmark/core/portfolio/lot-import-commands'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { actionError } from '../request/action-result.server.ts'
import { parseId } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/import-undo.ts'

export async function loader({ params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params.id)
  return readAs(getServices(context).db, accountId, async (tx) => {
    const found = await findImport(tx, accountId, id)
    if (found?.status !== 'done') throw data('not found', 404)
    return { fileName: found.file_name, ...(await countUndoableLots(tx, accountId, id)) }
  })
}

export async function action({ params, context }: Route.ActionArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params.id)
  const undone = await writeAs(getServices(context).db, accountId, async (tx) => {
    if (!(await findImport(tx, accountId, id))) throw data('not found', 404)
    return undoImport(tx, accountId, id)
  })
  return undone ? redirect('/imports') : actionError('This import is more than 30 days old or has already been undone.')
}

export default function ImportUndo({ loaderData, actionData: result }: Route.ComponentProps) {
  const { fileName, unchanged, changed } = loaderData
  return (
    <Dialog title={`Undo import of ${fileName}?`} closePath="/imports">
      <title>Undo import · Brickmark</title>
      <Form
        submitLabel={`Remove ${unchanged.toLocaleString('en-US')} ${unchanged === 1 ? 'lot' : 'lots'}`}
        variant="danger"
        error={result?.actionError}
      >
        <p>This removes the lots it added, and any collections it created that are empty afterwards.</p>
        {changed > 0 && (
          <p>
            {changed.toLocaleString('en-US')} of them {changed === 1 ? 'was' : 'were'} edited, moved or sold since then
            and will be kept.
          </p>
        )}
      </Form>
    </Dialog>
  )
}

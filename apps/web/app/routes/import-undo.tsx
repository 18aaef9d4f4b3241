import {
  data,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { countUndoableLots, findImport } from '@brickmark/core/portfolio/lot-import-queries'
import { undoImport } from '@brickmark/core/portfolio/lot-import-commands'
import { Dialog } from '../components/dialog.tsx'
import { Form } from '../components/form.tsx'
import { actionError } from '../server/call-auth.ts'
import { parseId } from '../server/collection.ts'
import { getServices, requireUser } from '../server/context.ts'

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params['id'])
  return readAs(getServices(context).db, accountId, async (tx) => {
    const found = await findImport(tx, accountId, id)
    if (found?.status !== 'done') throw data('not found', 404)
    return { fileName: found.file_name, ...(await countUndoableLots(tx, accountId, id)) }
  })
}

export async function action({ params, context }: ActionFunctionArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params['id'])
  const undone = await writeAs(getServices(context).db, accountId, async (tx) => {
    if (!(await findImport(tx, accountId, id))) throw data('not found', 404)
    return undoImport(tx, accountId, id)
  })
  return undone ? redirect('/imports') : actionError('It is more than 30 days old, or was undone already.')
}

export default function ImportUndo() {
  const { fileName, unchanged, changed } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Dialog title={`Undo ${fileName}?`} closePath="/imports">
      <title>Undo an import · Brickmark</title>
      <Form
        submitLabel={`Take back ${unchanged.toLocaleString('en-US')} lots`}
        variant="danger"
        error={result?.actionError}
      >
        <p>The lots it added go, and the collections it made when they are empty then.</p>
        {changed > 0 && (
          <p>
            {changed.toLocaleString('en-US')} of them {changed === 1 ? 'was' : 'were'} changed, moved or sold since, and
            will stay.
          </p>
        )}
      </Form>
    </Dialog>
  )
}

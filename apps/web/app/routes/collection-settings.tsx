import { redirect, useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { makeDefaultBrickfolio, renameBrickfolio } from '@brickmark/core/portfolio/collection-commands'
import { MAX_NAME, MAX_NOTES } from '@brickmark/core/portfolio/lot'
import { ButtonLink } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { problem } from '../server/call-auth.ts'
import { findCollection, ownCollectionId, plainText } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const { collection } = await readAs(servicesOf(context).db, accountId, (as) =>
    findCollection(as, accountId, params['id']),
  )
  return { collection }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { accountId } = signedIn(context)
  const form = await request.formData()
  const [name, description] = [plainText(form.get('name')), plainText(form.get('description'))]
  const refused = await writeAs(servicesOf(context).db, accountId, async (as) => {
    const id = await ownCollectionId(as, accountId, params['id'])
    if (form.get('intent') === 'default') {
      await makeDefaultBrickfolio(as, accountId, id)
      return undefined
    }
    if (name === '' || name.length > MAX_NAME) return `Give it a name of 1 to ${MAX_NAME} characters.`
    if (description.length > MAX_NOTES) return `The description may have at most ${MAX_NOTES} characters.`
    const words = { name, description: description === '' ? null : description }
    if (!(await renameBrickfolio(as, accountId, id, words))) return 'You have a collection of that name already.'
    return undefined
  })
  return refused === undefined ? redirect(`/collections/${params['id']}`) : problem(refused)
}

export default function CollectionSettings() {
  const { collection } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const here = `/collections/${collection.id}`
  return (
    <Dialog title="Settings" closeTo={here}>
      <title>{`Settings of ${collection.name} · Brickmark`}</title>
      <Form submit="Save" intent="rename" problem={result?.problem}>
        <Field label="Name" name="name" required maxLength={MAX_NAME} defaultValue={collection.name} />
        <Field
          label="Description"
          name="description"
          maxLength={MAX_NOTES}
          defaultValue={collection.description ?? ''}
          hint="Shown under the name; may be empty."
        />
      </Form>
      <div className="mt-5 flex flex-wrap gap-2 border-t border-line pt-4">
        {collection.isDefault ? (
          <p className="text-sm text-ink-soft">
            This is your default collection. To delete it, make another one the default first.
          </p>
        ) : (
          <>
            <Form submit="Make it the default" look="plain" intent="default" />
            <ButtonLink to={`${here}/delete`} look="danger" preventScrollReset>
              Delete…
            </ButtonLink>
          </>
        )}
      </div>
    </Dialog>
  )
}

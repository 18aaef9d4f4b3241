import { Link, useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { KeyIssueError, replaceApiKey } from '@brickmark/core/account/api-key-commands'
import { ExpirySelect } from '../components/expiry-select.tsx'
import { SelectField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { CreatedKey } from '../components/new-key.tsx'
import { Page, Timestamp } from '../components/page.tsx'
import { actionError } from '../server/call-auth.ts'
import { getServices, requireUser } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { parseExpiry, KEY_ERRORS, getKey } from '../server/keys.ts'
import { requireRecentSignIn } from '../server/session.ts'

const HOUR = 3_600_000
const OVERLAP_OPTIONS: [string, string][] = [
  ['24', 'For another day'],
  ['1', 'For another hour'],
  ['168', 'For another week'],
  ['0', 'No longer: it ends at once'],
]

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { id, name, state, rotated, expiresAt } = await getKey(context, params['id'])
  return { id, name, active: state === 'active', rotated, expiresAt }
}

const KEY_LIMIT_ERROR =
  'You have 5 active keys, which is as many as an account can have, so the old key cannot work on beside a new one. Let the old key end at once, or revoke another one first.'

export async function action({ request, context, params }: ActionFunctionArgs) {
  requireRecentSignIn(context, `/keys/${params['id']}`)
  const { db, config } = getServices(context)
  const { accountId } = requireUser(context)
  const { id: keyId, name, state } = await getKey(context, params['id'])
  const field = await readForm(request)
  const overlap = OVERLAP_OPTIONS.find(([hours]) => hours === field('overlap'))
  if (!overlap || state !== 'active') return actionError(KEY_ERRORS['no such key'])
  const rotation = { overlapMs: Number(overlap[0]) * HOUR, expiresAt: parseExpiry(field('expires')), actor: 'owner' }
  try {
    const { id, key } = await writeAs(db, accountId, (tx) =>
      replaceApiKey(tx, config.peppers, { accountId, keyId, name }, rotation),
    )
    return { created: { id, name, apiKey: key } }
  } catch (error) {
    if (!(error instanceof KeyIssueError)) throw error
    return actionError(error.reason === 'no free slot' ? KEY_LIMIT_ERROR : KEY_ERRORS[error.reason], 409)
  }
}

export default function RotateKey() {
  const { id, name, active, rotated, expiresAt } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  if (result && 'created' in result) {
    return (
      <Page title="Replaced" description="Put the new key in place while the old one still works, if you let it.">
        <title>Replaced · Brickmark</title>
        <CreatedKey {...result.created} />
        <p>
          <Link to="/keys">All keys</Link>
        </p>
      </Page>
    )
  }
  return (
    <Page
      title={`Replace “${name}”`}
      narrow
      description="Makes a new key under this name. Choose how long the old one works on."
    >
      <title>{`Replace ${name} · Brickmark`}</title>
      {active && rotated ? (
        <p>
          This key has been replaced already
          {expiresAt !== null && (
            <>
              , and works until <Timestamp iso={expiresAt} />
            </>
          )}
          . To have another one, replace the key that took its place.
        </p>
      ) : active ? (
        <Form submitLabel="Replace the key" error={result?.actionError}>
          <SelectField label="The old key works" name="overlap" options={OVERLAP_OPTIONS} />
          <ExpirySelect label="The new key expires" />
        </Form>
      ) : (
        <p>This key has ended. Make a new one instead.</p>
      )}
      <p>
        <Link to={`/keys/${id}`}>Back to the key</Link>
      </p>
    </Page>
  )
}

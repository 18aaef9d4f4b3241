import { Link } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { KeyIssueError, replaceApiKey } from '@brickmark/core/account/api-key-commands'
import { ExpirySelect } from './expiry-select.tsx'
import { SelectField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { CreatedKey } from './new-key.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { actionError } from '../request/action-result.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { parseExpiry, KEY_ERRORS, getKey } from './keys.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'
import type { Route } from './+types/key-rotate.ts'

const HOUR = 3_600_000
const OVERLAP_OPTIONS: [string, string][] = [
  ['24', '24 hours'],
  ['1', '1 hour'],
  ['168', '7 days'],
  ['0', 'Revoke immediately'],
]

export async function loader({ context, params }: Route.LoaderArgs) {
  const { id, name, state, rotated, expiresAt } = await getKey(context, params.id)
  return { id, name, active: state === 'active', rotated, expiresAt }
}

const KEY_LIMIT_ERROR =
  'You’ve reached the limit of 5 active keys, so the old and new keys can’t overlap. Revoke the old key immediately, or revoke another key first.'

export async function action({ request, context, params }: Route.ActionArgs) {
  requireRecentSignIn(context, `/keys/${params.id}`)
  const { db, config } = getServices(context)
  const { accountId } = requireUser(context)
  const { id: keyId, name, state } = await getKey(context, params.id)
  const field = await readForm(request)
  const overlap = OVERLAP_OPTIONS.find(([hours]) => hours === field('overlap'))
  if (!overlap || state !== 'active') return actionError(KEY_ERRORS['no such key'])
  const rotation = { overlapMs: Number(overlap[0]) * HOUR, expiresAt: parseExpiry(field('expires')), actor: 'owner' }
  try {
    const { id, key } = await writeAs(db, accountId, (tx) =>
      replaceApiKey(tx, config.peppers, { accountId, keyId, name }, rotation),
    )
    return { created: { id, name, apiKey: key }, overlaps: rotation.overlapMs > 0 }
  } catch (error) {
    if (!(error instanceof KeyIssueError)) throw error
    return actionError(error.reason === 'no free slot' ? KEY_LIMIT_ERROR : KEY_ERRORS[error.reason], 409)
  }
}

export default function KeyRotate({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name, active, rotated, expiresAt } = loaderData
  if (result && 'created' in result) {
    return (
      <Page
        title="Key rotated"
        description={
          result.overlaps
            ? 'Update your apps before the old key stops working.'
            : 'Update your apps: the old key no longer works.'
        }
      >
        <title>Key rotated · Brickmark</title>
        <CreatedKey {...result.created} />
        <p>
          <Link to="/keys">All API keys</Link>
        </p>
      </Page>
    )
  }
  return (
    <Page
      title={`Rotate “${name}”`}
      narrow
      description="Create a new key with the same name, and choose how long the old one keeps working."
    >
      <title>{`Rotate ${name} · Brickmark`}</title>
      {active && rotated ? (
        <p>
          This key has already been rotated
          {expiresAt !== null && (
            <>
              {' '}
              and works until <Timestamp iso={expiresAt} />
            </>
          )}
          . Rotate the newer key instead.
        </p>
      ) : active ? (
        <Form submitLabel="Rotate key" error={result?.actionError}>
          <SelectField label="Keep old key active for" name="overlap" options={OVERLAP_OPTIONS} />
          <ExpirySelect label="New key expires" />
        </Form>
      ) : (
        <p>This key is no longer active. Create a new one instead.</p>
      )}
      <p>
        <Link to={`/keys/${id}`}>Back to key</Link>
      </p>
    </Page>
  )
}

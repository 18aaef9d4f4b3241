import { Link, useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { KeyRefused, replaceApiKey } from '@brickmark/core/account/api-key-commands'
import { ExpiryChoice } from '../components/expiry-select.tsx'
import { Choice } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { NewKey } from '../components/new-key.tsx'
import { Page, Time } from '../components/page.tsx'
import { problem } from '../server/call-auth.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { expiryOf, REFUSALS, shownKey } from '../server/keys.ts'
import { requireRecentSignIn } from '../server/session.ts'

const HOUR = 3_600_000
const OVERLAPS: [string, string][] = [
  ['24', 'For another day'],
  ['1', 'For another hour'],
  ['168', 'For another week'],
  ['0', 'No longer: it ends at once'],
]

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { id, name, state, replaced, expiresAt } = await shownKey(context, params['id'])
  return { id, name, active: state === 'active', replaced, expiresAt }
}

const NO_ROOM =
  'You have 5 active keys, which is as many as an account can have, so the old key cannot work on beside a new one. Let the old key end at once, or revoke another one first.'

export async function action({ request, context, params }: ActionFunctionArgs) {
  requireRecentSignIn(context, `/keys/${params['id']}`)
  const { db, config } = servicesOf(context)
  const { accountId } = signedIn(context)
  const { id: keyId, name, state } = await shownKey(context, params['id'])
  const field = await readForm(request)
  const overlap = OVERLAPS.find(([hours]) => hours === field('overlap'))
  if (!overlap || state !== 'active') return problem(REFUSALS['no such key'])
  const how = { overlapMs: Number(overlap[0]) * HOUR, expiresAt: expiryOf(field('expires')), actor: 'owner' }
  try {
    const { id, key } = await writeAs(db, accountId, (as) =>
      replaceApiKey(as, config.peppers, { accountId, keyId, name }, how),
    )
    return { made: { id, name, apiKey: key } }
  } catch (error) {
    if (!(error instanceof KeyRefused)) throw error
    return problem(error.reason === 'no free slot' ? NO_ROOM : REFUSALS[error.reason], 409)
  }
}

export default function ReplaceKey() {
  const { id, name, active, replaced, expiresAt } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  if (result && 'made' in result) {
    return (
      <Page title="Replaced" lead="Put the new key in place while the old one still works, if you let it.">
        <title>Replaced · Brickmark</title>
        <NewKey {...result.made} />
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
      lead="Makes a new key under this name. Choose how long the old one works on."
    >
      <title>{`Replace ${name} · Brickmark`}</title>
      {active && replaced ? (
        <p>
          This key has been replaced already
          {expiresAt !== null && (
            <>
              , and works until <Time iso={expiresAt} />
            </>
          )}
          . To have another one, replace the key that took its place.
        </p>
      ) : active ? (
        <Form submit="Replace the key" problem={result?.problem}>
          <Choice label="The old key works" name="overlap" options={OVERLAPS} />
          <ExpiryChoice label="The new key expires" />
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

import { Link, useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findQuotaClock } from '@brickmark/core/account/usage-queries'
import { issueApiKey } from '@brickmark/core/account/api-key-commands'
import { ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Empty } from '../components/empty-state.tsx'
import { ExpiryChoice } from '../components/expiry-select.tsx'
import { Field } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import type { ShownKey } from '../components/first-request.tsx'
import { NewKey } from '../components/new-key.tsx'
import { Notice } from '../components/notice.tsx'
import { Page, Time } from '../components/page.tsx'
import { Table, type Column } from '../components/table.tsx'
import { problem } from '../server/call-auth.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { expiryOf, REFUSALS, shownKeys } from '../server/keys.ts'
import { requireRecentSignIn } from '../server/session.ts'

const NAME_AT_MOST = 60

export async function loader({ context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const clock = await readAs(servicesOf(context).db, accountId, (as) => findQuotaClock(as, accountId))
  return { keys: await shownKeys(context), apiAccess: clock.api_access }
}

/** Makes a key. The answer to this form is the only place where it ever stands. */
export async function action({ request, context }: ActionFunctionArgs) {
  requireRecentSignIn(context, '/keys')
  const { db, config } = servicesOf(context)
  const { accountId } = signedIn(context)
  const field = await readForm(request)
  const name = field('name').trim()
  if (name === '' || name.length > NAME_AT_MOST) return problem(`Give it a name of 1 to ${NAME_AT_MOST} characters.`)
  const wanted = { accountId, name, nameOnce: true, expiresAt: expiryOf(field('expires')), actor: 'owner' }
  const made = await writeAs(db, accountId, (as) => issueApiKey(as, config.peppers, wanted))
  return made.created ? { made: { id: made.id, name, apiKey: made.key } } : problem(REFUSALS[made.reason], 409)
}

export default function Keys() {
  const { keys, apiAccess } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const active = keys.filter((key) => key.state === 'active')
  const ended = keys.filter((key) => key.state !== 'active')
  return (
    <Page
      title="API keys"
      lead="A key lets a script, a sheet or an assistant read market data and your own collections. It can change nothing."
      actions={<ButtonLink to="/account/history">What was changed</ButtonLink>}
    >
      <title>API keys · Brickmark</title>
      {!apiAccess && (
        <Notice tone="warn" title="Your plan has no API access">
          You can make keys, but until your account is on the Reseller plan every request is answered 403.
        </Notice>
      )}
      {result && 'made' in result && <NewKey key={result.made.id} {...result.made} />}
      {active.length === 0 ? (
        <Empty title="No active key">Make one below, and see your first answer within a minute.</Empty>
      ) : (
        <Card title={`Active keys, ${active.length} of 5`}>
          <Table caption="Active keys" rows={active} rowKey={(key) => key.id} columns={ACTIVE} />
        </Card>
      )}
      <Card title="Make a key">
        <div className="max-w-sm">
          <Form
            // Empty again after a key was made.
            key={result && 'made' in result ? result.made.id : 0}
            submit="Make the key"
            problem={result && 'problem' in result ? result.problem : undefined}
          >
            <Field
              label="Name"
              name="name"
              required
              maxLength={NAME_AT_MOST}
              hint="What will use it, like “price sheet”."
            />
            <ExpiryChoice label="It expires" />
          </Form>
        </div>
      </Card>
      {ended.length > 0 && (
        <details>
          <summary className="w-fit text-ink-soft underline decoration-line-strong underline-offset-4">
            Keys that have ended ({ended.length})
          </summary>
          <div className="mt-3">
            <Card>
              <Table caption="Keys that have ended" rows={ended} rowKey={(key) => key.id} columns={ENDED} />
            </Card>
          </div>
        </details>
      )}
    </Page>
  )
}

const NAME: Column<ShownKey> = {
  key: 'name',
  title: 'Name',
  cell: (key) => <Link to={`/keys/${key.id}`}>{key.name}</Link>,
}
const HINT: Column<ShownKey> = { key: 'hint', title: 'Key', cell: (key) => <code>{key.hint}</code> }
const LAST: Column<ShownKey> = {
  key: 'last',
  title: 'Last used',
  cell: ({ lastRequest }) =>
    lastRequest === null ? (
      'Never'
    ) : (
      <span className="inline-block max-w-60 truncate align-top" title={lastRequest.client}>
        <Time iso={lastRequest.at} />
        <br />
        {lastRequest.client}
      </span>
    ),
}
const ACTIVE: Column<ShownKey>[] = [
  NAME,
  HINT,
  {
    key: 'today',
    title: 'Used today',
    right: true,
    cell: (key) => `${key.usedToday.toLocaleString('en-US')} of ${key.dailyLimit.toLocaleString('en-US')}`,
  },
  LAST,
  {
    key: 'expires',
    title: 'Expires',
    cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time iso={expiresAt} />),
  },
]
const ENDED: Column<ShownKey>[] = [
  NAME,
  HINT,
  { key: 'state', title: 'How', cell: (key) => (key.state === 'revoked' ? 'Revoked' : 'Expired') },
  { key: 'ended', title: 'When', cell: ({ endedAt }) => endedAt !== null && <Time iso={endedAt} /> },
  LAST,
]

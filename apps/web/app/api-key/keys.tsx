import { Link } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findPlanAndReset } from '@brickmark/core/account/usage-queries'
import { issueApiKey } from '@brickmark/core/account/api-key-commands'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ExpirySelect } from './expiry-select.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import type { ApiKeyView } from './first-request.tsx'
import { CreatedKey } from './new-key.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Table, type Column } from '../ui/table.tsx'
import { actionError } from '../request/action-result.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { parseExpiry, KEY_ERRORS, listKeys } from './keys.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'
import type { Route } from './+types/keys.ts'

const MAX_KEY_NAME = 60

export async function loader({ context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const clock = await readAs(getServices(context).db, accountId, (tx) => findPlanAndReset(tx, accountId))
  return { keys: await listKeys(context), apiAccess: clock.api_access }
}

/** Creates a key. Its secret is only ever sent in this response. */
export async function action({ request, context }: Route.ActionArgs) {
  requireRecentSignIn(context, '/keys')
  const { db, config } = getServices(context)
  const { accountId } = requireUser(context)
  const field = await readForm(request)
  const name = field('name').trim()
  if (name === '' || name.length > MAX_KEY_NAME) return actionError(`Enter a name (up to ${MAX_KEY_NAME} characters).`)
  const options = { accountId, name, requireUniqueName: true, expiresAt: parseExpiry(field('expires')), actor: 'owner' }
  const created = await writeAs(db, accountId, (tx) => issueApiKey(tx, config.peppers, options))
  return created.created
    ? { created: { id: created.id, name, apiKey: created.key } }
    : actionError(KEY_ERRORS[created.reason], 409)
}

export default function Keys({ loaderData, actionData: result }: Route.ComponentProps) {
  const { keys, apiAccess } = loaderData
  const active = keys.filter((key) => key.state === 'active')
  const ended = keys.filter((key) => key.state !== 'active')
  return (
    <Page
      title="API keys"
      description="Use API keys to read market data and your collections from scripts, spreadsheets and AI assistants. Keys are read-only."
      actions={<ButtonLink to="/account/activity">Activity log</ButtonLink>}
    >
      <title>API keys · Brickmark</title>
      {!apiAccess && (
        <Notice tone="warn" title="Your plan doesn’t include API access">
          You can create keys now, but requests return 403 until you’re on the Reseller plan.
        </Notice>
      )}
      {result && 'created' in result && <CreatedKey key={result.created.id} {...result.created} />}
      {active.length === 0 ? (
        <EmptyState title={ended.length === 0 ? 'No API keys yet' : 'No active API keys'}>
          {apiAccess
            ? 'Create one below and make your first request in under a minute.'
            : 'A key works once your plan includes the API.'}
        </EmptyState>
      ) : (
        <Card title={`Active keys (${active.length} of 5)`}>
          <Table caption="Active keys" rows={active} rowKey={(key) => key.id} columns={ACTIVE_COLUMNS} />
        </Card>
      )}
      <Card title="Create API key">
        <div className="max-w-sm">
          <Form
            // Reset the form after a key was created.
            key={result && 'created' in result ? result.created.id : 0}
            submitLabel="Create key"
            error={result && 'actionError' in result ? result.actionError : undefined}
          >
            <TextField
              label="Name"
              name="name"
              required
              maxLength={MAX_KEY_NAME}
              hint="What you’ll use it for, e.g. “Price sheet”."
            />
            <ExpirySelect label="Expires" />
          </Form>
        </div>
      </Card>
      {ended.length > 0 && (
        <details>
          <summary className="w-fit text-ink-soft underline decoration-line-strong underline-offset-4">
            Revoked and expired keys ({ended.length})
          </summary>
          <div className="mt-3">
            <Card>
              <Table
                caption="Revoked and expired keys"
                rows={ended}
                rowKey={(key) => key.id}
                columns={INACTIVE_COLUMNS}
              />
            </Card>
          </div>
        </details>
      )}
    </Page>
  )
}

const NAME_COLUMN: Column<ApiKeyView> = {
  key: 'name',
  title: 'Name',
  cell: (key) => <Link to={`/keys/${key.id}`}>{key.name}</Link>,
}
const MASKED_KEY_COLUMN: Column<ApiKeyView> = { key: 'hint', title: 'Key', cell: (key) => <code>{key.maskedKey}</code> }
const LAST_USED_COLUMN: Column<ApiKeyView> = {
  key: 'last',
  title: 'Last used',
  cell: ({ lastRequest }) =>
    lastRequest === null ? (
      'Never'
    ) : (
      <span className="inline-block max-w-60 truncate align-top" title={lastRequest.client}>
        <Timestamp iso={lastRequest.at} />
        <br />
        {lastRequest.client}
      </span>
    ),
}
const ACTIVE_COLUMNS: Column<ApiKeyView>[] = [
  NAME_COLUMN,
  MASKED_KEY_COLUMN,
  {
    key: 'today',
    title: 'Used today',
    right: true,
    cell: (key) => `${key.usedToday.toLocaleString('en-US')} of ${key.dailyLimit.toLocaleString('en-US')}`,
  },
  LAST_USED_COLUMN,
  {
    key: 'expires',
    title: 'Expires',
    cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Timestamp iso={expiresAt} />),
  },
]
const INACTIVE_COLUMNS: Column<ApiKeyView>[] = [
  NAME_COLUMN,
  MASKED_KEY_COLUMN,
  { key: 'state', title: 'Status', cell: (key) => (key.state === 'revoked' ? 'Revoked' : 'Expired') },
  { key: 'ended', title: 'Ended', cell: ({ endedAt }) => endedAt !== null && <Timestamp iso={endedAt} /> },
  LAST_USED_COLUMN,
]

import { readAs } from '@brickmark/core/db/database'
import { findAuditLog } from '@brickmark/core/account/audit-log-queries'
import { Card } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Pager } from '../ui/pager.tsx'
import { Table } from '../ui/table.tsx'
import { describeUserAgent } from './user-agent.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/account-activity.ts'
import { parseOffset } from '../request/input.server.ts'

const LIMIT = 50

export async function loader({ request, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const offset = parseOffset(new URL(request.url).searchParams.get('offset'))
  const { rows, total } = await readAs(getServices(context).db, accountId, (tx) =>
    findAuditLog(tx, accountId, { limit: LIMIT, offset }),
  )
  const entries = rows.map(({ id, at, actor, action, detail }) => ({
    id,
    at: at.toISOString(),
    by: actor === 'owner' ? 'You' : 'Brickmark',
    what: describeEvent(action, detail as Record<string, string>),
  }))
  return { entries, total, offset }
}

export default function AccountActivity({ loaderData }: Route.ComponentProps) {
  const { entries, total, offset } = loaderData
  return (
    <Page title="Activity log" description="Changes to your API keys, plan and sign-in methods.">
      <title>Activity log · Brickmark</title>
      <Card>
        <Table
          caption="Activity, newest first"
          rows={entries}
          rowKey={(entry) => entry.id}
          columns={[
            { key: 'what', title: 'Event', cell: (entry) => entry.what },
            { key: 'by', title: 'By', cell: (entry) => entry.by },
            { key: 'at', title: 'When', cell: (entry) => <Timestamp iso={entry.at} /> },
          ]}
        />
        <Pager offset={offset} limit={LIMIT} total={total} to={(next) => `/account/activity?offset=${next}`} />
      </Card>
    </Page>
  )
}

function describeEvent(action: string, detail: Record<string, string>): string {
  const day = detail['expires_at']?.slice(0, 10)
  const descriptions: Record<string, string> = {
    'account.created': `Account created on the ${detail['plan']} plan`,
    'plan.changed': `Plan changed from ${detail['from']} to ${detail['to']}`,
    'password.changed': 'Password changed',
    'two-factor.enabled': 'Two-factor authentication turned on',
    'two-factor.disabled': 'Two-factor authentication turned off',
    'account.suspended': `Account suspended: ${detail['reason']}`,
    'account.restored': `Account restored: ${detail['reason']}`,
    'operator.suspended-account': `Account ${detail['of_account']} suspended: ${detail['reason']}`,
    'operator.restored-account': `Account ${detail['of_account']} restored: ${detail['reason']}`,
    'operator.appointed': 'Became an operator',
    'passkey.added': `Passkey “${detail['name'] ?? 'Passkey'}” added`,
    'passkey.removed': `Passkey “${detail['name'] ?? 'Passkey'}” removed`,
    'sign-in.new-device': `First sign-in with ${describeUserAgent(detail['client'] ?? '')}`,
    'collection.shared': `Collection ${detail['collection_id']} shared by a link, or what its page shows changed`,
    'collection.link-replaced': `New link for shared collection ${detail['collection_id']}`,
    'collection.unshared': `Collection ${detail['collection_id']} no longer shared`,
    'key.created': `API key “${detail['name']}” created (ends in ${detail['last4']})`,
    'key.revoked': `API key “${detail['name']}” revoked`,
    'key.ending': `API key “${detail['name']}” rotated; the old key expires ${day}`,
  }
  return descriptions[action] ?? action
}

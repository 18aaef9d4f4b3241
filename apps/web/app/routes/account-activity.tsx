import { useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findAuditLog } from '@brickmark/core/account/audit-log-queries'
import { Card } from '../components/card.tsx'
import { Page, Timestamp } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Table } from '../components/table.tsx'
import { getServices, requireUser } from '../server/context.ts'

const LIMIT = 50

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { accountId } = requireUser(context)
  const offsetParam = new URL(request.url).searchParams.get('offset') ?? ''
  const offset = /^\d{1,7}$/.test(offsetParam) ? Number(offsetParam) : 0
  const { rows, total } = await readAs(getServices(context).db, accountId, (tx) =>
    findAuditLog(tx, accountId, { limit: LIMIT, offset }),
  )
  const entries = rows.map(({ id, at, actor, action, detail }) => ({
    id,
    at: at.toISOString(),
    by: actor === 'owner' ? 'You' : 'Us',
    what: describeEvent(action, detail as Record<string, string>),
  }))
  return { entries, total, offset }
}

export default function AccountActivity() {
  const { entries, total, offset } = useLoaderData<typeof loader>()
  return (
    <Page
      title="What was changed"
      description="Every change of keys, plan and ways to sign in. Entries are only ever added."
    >
      <title>What was changed · Brickmark</title>
      <Card>
        <Table
          caption="Changes, newest first"
          rows={entries}
          rowKey={(entry) => entry.id}
          columns={[
            { key: 'what', title: 'What', cell: (entry) => entry.what },
            { key: 'by', title: 'By', cell: (entry) => entry.by },
            { key: 'at', title: 'When', cell: (entry) => <Timestamp iso={entry.at} /> },
          ]}
        />
        <Pager offset={offset} limit={LIMIT} total={total} to={(next) => `/account/history?offset=${next}`} />
      </Card>
    </Page>
  )
}

function describeEvent(action: string, detail: Record<string, string>): string {
  const day = detail['expires_at']?.slice(0, 10)
  const descriptions: Record<string, string> = {
    'account.created': `Account opened on the plan ${detail['plan']}`,
    'plan.changed': `Plan changed from ${detail['from']} to ${detail['to']}`,
    'password.changed': 'Password changed',
    'two-factor.enabled': 'Two-factor authentication switched on',
    'two-factor.disabled': 'Two-factor authentication switched off',
    'passkey.added': `Passkey “${detail['name'] ?? 'Passkey'}” added`,
    'passkey.removed': `Passkey “${detail['name'] ?? 'Passkey'}” removed`,
    'sign-in.new-device': `First sign-in with this browser: ${detail['client'] ?? 'unknown'}`,
    'key.created': `Key “${detail['name']}” made, ending in ${detail['last4']}`,
    'key.revoked': `Key “${detail['name']}” revoked`,
    'key.ending': `Key “${detail['name']}” was replaced and ends on ${day}`,
  }
  return descriptions[action] ?? action
}

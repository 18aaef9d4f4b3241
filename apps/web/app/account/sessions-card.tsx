import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Table } from '../ui/table.tsx'
import { describeUserAgent } from './user-agent.ts'

export type SessionRow = {
  id: string
  current: boolean
  signedInAt: string
  lastSeen: string
  address: string
  client: string
}

/** Lists the account's sessions with buttons to end them. */
export function SessionsCard({ sessions, problem }: { sessions: SessionRow[]; problem: string | undefined }) {
  return (
    <Card title="Active sessions">
      {problem !== undefined && <Notice tone="loss">{problem}</Notice>}
      <Table
        caption="Active sessions"
        rows={sessions}
        rowKey={(session) => session.id}
        columns={[
          { key: 'client', title: 'Browser', cell: ({ client }) => describeUserAgent(client) },
          { key: 'address', title: 'IP address', cell: ({ address }) => address },
          { key: 'since', title: 'Signed in', cell: ({ signedInAt }) => <Timestamp iso={signedInAt} /> },
          {
            key: 'end',
            title: 'Actions',
            right: true,
            cell: ({ id, current, client }) =>
              current ? (
                <Badge tone="accent">This device</Badge>
              ) : (
                <Form
                  submitLabel="Sign out"
                  submitAriaLabel={`Sign out ${describeUserAgent(client)}`}
                  variant="plain"
                  intent="end-session"
                >
                  <input type="hidden" name="id" value={id} />
                </Form>
              ),
          },
        ]}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        {sessions.length > 1 && <Form submitLabel="Sign out other devices" variant="plain" intent="end-others" />}
        <Form submitLabel="Sign out of all devices" variant="danger" intent="end-all" />
      </div>
    </Card>
  )
}

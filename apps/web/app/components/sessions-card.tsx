import { Badge } from './badge.tsx'
import { Card } from './card.tsx'
import { Form } from './form.tsx'
import { Notice } from './notice.tsx'
import { Time } from './page.tsx'
import { Table } from './table.tsx'

export type SessionRow = {
  id: string
  current: boolean
  since: string
  lastSeen: string
  address: string
  client: string
}

/** Where the account is signed in, with the ways to end it. */
export function SessionsCard({ sessions, problem }: { sessions: SessionRow[]; problem: string | undefined }) {
  return (
    <Card title="Sessions">
      {problem !== undefined && <Notice tone="loss">{problem}</Notice>}
      <Table
        caption="Where you are signed in"
        rows={sessions}
        rowKey={(session) => session.id}
        columns={[
          { key: 'client', title: 'Browser', cell: ({ client }) => inShort(client) },
          { key: 'address', title: 'Address', cell: ({ address }) => address },
          { key: 'since', title: 'Since', cell: ({ since }) => <Time iso={since} /> },
          {
            key: 'end',
            title: 'End',
            right: true,
            cell: ({ id, current, client }) =>
              current ? (
                <Badge tone="accent">This one</Badge>
              ) : (
                <Form submit={`End ${inShort(client)}`} look="plain" intent="end-session">
                  <input type="hidden" name="id" value={id} />
                </Form>
              ),
          },
        ]}
      />
      <div className="mt-4 flex flex-wrap gap-2">
        {sessions.length > 1 && <Form submit="End all others" look="plain" intent="end-others" />}
        <Form submit="Sign out everywhere" look="danger" intent="end-all" />
      </div>
    </Card>
  )
}

/** The browser and its system, out of a user agent. */
function inShort(client: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)[a-z]*\/(\d+)/i.exec(client)
  const system = /\(([^;)]+)/.exec(client)
  const name = browser?.[1]?.replace('Edg', 'Edge').replace('OPR', 'Opera')
  return name === undefined ? client.slice(0, 40) || 'Unknown' : `${name} on ${system?.[1] ?? 'an unknown system'}`
}

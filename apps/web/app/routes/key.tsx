import { Link, Outlet, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { Badge } from '../components/badge.tsx'
import { ButtonLink } from '../components/button.tsx'
import { Card, Figure } from '../components/card.tsx'
import { FirstRequest } from '../components/first-request.tsx'
import { Page, Time } from '../components/page.tsx'
import { shownKey } from '../server/keys.ts'

export async function loader({ context, params }: LoaderFunctionArgs) {
  return { key: await shownKey(context, params['id']) }
}

/** One key: what it did last, what it has used, and the ways to end it. */
export default function Key() {
  const { key } = useLoaderData<typeof loader>()
  const active = key.state === 'active'
  return (
    <Page
      title={key.name}
      lead={<code>{key.hint}</code>}
      actions={
        active && (
          <>
            {!key.replaced && <ButtonLink to={`/keys/${key.id}/replace`}>Replace</ButtonLink>}
            <ButtonLink to={`/keys/${key.id}/revoke`} look="danger" preventScrollReset>
              Revoke
            </ButtonLink>
          </>
        )
      }
    >
      <title>{`${key.name} · Brickmark`}</title>
      <div className="grid gap-3 sm:grid-cols-3">
        <Figure label="State">
          <Badge tone={active ? 'gain' : 'plain'}>{key.state}</Badge>
        </Figure>
        <Figure label="Used today" hint="units, exact">
          {key.usedToday.toLocaleString('en-US')} of {key.dailyLimit.toLocaleString('en-US')}
        </Figure>
        <Figure
          label={active ? 'Expires' : 'Ended'}
          hint={
            <>
              Made <Time iso={key.createdAt} />
            </>
          }
        >
          <span className="text-base">{key.endedAt === null ? 'Never' : <Time iso={key.endedAt} />}</span>
        </Figure>
      </div>
      <Card title="Its last request">
        {active || key.lastRequest !== null ? (
          <FirstRequest key={key.id} keyId={key.id} known={key.lastRequest} />
        ) : (
          <p className="text-ink-soft">It was never used.</p>
        )}
      </Card>
      <p>
        <Link to="/keys">All keys</Link>
      </p>
      <Outlet />
    </Page>
  )
}

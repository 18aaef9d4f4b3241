import { Link, Outlet } from 'react-router'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { Card, Stat } from '../ui/card.tsx'
import { FirstRequest } from './first-request.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { getKey } from './keys.server.ts'
import type { Route } from './+types/key.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  return { key: await getKey(context, params.id) }
}

/** API key details: last request, usage, and links to replace or revoke it. */
export default function Key({ loaderData }: Route.ComponentProps) {
  const { key } = loaderData
  const active = key.state === 'active'
  return (
    <Page
      title={key.name}
      description={<code>{key.maskedKey}</code>}
      actions={
        active && (
          <>
            {!key.rotated && <ButtonLink to={`/keys/${key.id}/replace`}>Rotate</ButtonLink>}
            <ButtonLink to={`/keys/${key.id}/revoke`} variant="danger" preventScrollReset>
              Revoke
            </ButtonLink>
          </>
        )
      }
    >
      <title>{`${key.name} · Brickmark`}</title>
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat label="Status">
          <Badge tone={active ? 'gain' : 'plain'}>{capitalize(key.state)}</Badge>
        </Stat>
        <Stat label="Used today" detail="credits">
          {key.usedToday.toLocaleString('en-US')} of {key.dailyLimit.toLocaleString('en-US')}
        </Stat>
        <Stat
          label={active ? 'Expires' : 'Ended'}
          detail={
            <>
              Created <Timestamp iso={key.createdAt} />
            </>
          }
        >
          <span className="text-base">{key.endedAt === null ? 'Never' : <Timestamp iso={key.endedAt} />}</span>
        </Stat>
      </div>
      <Card title="Last request">
        {active || key.lastRequest !== null ? (
          <FirstRequest key={key.id} keyId={key.id} initial={key.lastRequest} />
        ) : (
          <p className="text-ink-soft">Never used.</p>
        )}
      </Card>
      <p>
        <Link to="/keys">All API keys</Link>
      </p>
      <Outlet />
    </Page>
  )
}

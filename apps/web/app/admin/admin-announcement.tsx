import { MAX_MESSAGE } from '@brickmark/core/account/announcement'
import { announceAsOperator } from '@brickmark/core/account/announcement-commands'
import { findAnnouncement } from '@brickmark/core/account/announcement-queries'
import { Card } from '../ui/card.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { actionError } from '../request/action-result.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { cleanText } from '../request/input.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'
import type { Route } from './+types/admin-announcement.ts'

const HOUR_MS = 3_600_000
const DURATIONS: [hours: string, label: string][] = [
  ['1', '1 hour'],
  ['4', '4 hours'],
  ['24', '1 day'],
  ['168', '1 week'],
]

export async function loader({ context }: Route.LoaderArgs) {
  const current = await findAnnouncement(getServices(context).db, new Date())
  return { current: current && { message: current.message, until: current.until.toISOString() } }
}

export async function action({ request, context }: Route.ActionArgs) {
  requireRecentSignIn(context, '/admin/announcement')
  const { db } = getServices(context)
  const { sessionToken } = requireUser(context)
  const field = await readForm(request)
  const now = Date.now()
  if (field('intent') === 'end') {
    await announceAsOperator(db, sessionToken, { message: null, until: new Date(now) })
    return { done: 'The announcement has ended.' }
  }
  const message = cleanText(field('message'))
  if (message === '' || message.length > MAX_MESSAGE)
    return actionError(`Enter a message of up to ${MAX_MESSAGE} characters.`)
  const hours = DURATIONS.find(([value]) => value === field('hours'))?.[0] ?? '24'
  await announceAsOperator(db, sessionToken, { message, until: new Date(now + Number(hours) * HOUR_MS) })
  return { done: 'Announced. Every page shows it within seconds.' }
}

/** Shows a message at the top of every page. */
export default function AdminAnnouncement({ loaderData: { current }, actionData: result }: Route.ComponentProps) {
  return (
    <Page
      title="Announcement"
      description="A message at the top of every page, for visitors too. Every announcement is logged."
    >
      <title>Announcement · Brickmark</title>
      {result && 'done' in result && <Notice tone="gain">{result.done}</Notice>}
      {current && (
        <Card title="Shown now">
          <p className="mb-1 wrap-anywhere">{current.message}</p>
          <p className="mb-3 text-sm text-ink-soft">
            Until <Timestamp iso={current.until} />
          </p>
          <Form submitLabel="End now" variant="plain" intent="end" />
        </Card>
      )}
      <Card title={current ? 'Replace it' : 'Announce something'}>
        <div className="max-w-lg">
          <Form
            submitLabel="Announce"
            intent="announce"
            error={result && 'actionError' in result ? result.actionError : undefined}
          >
            <TextField
              label="Message"
              name="message"
              required
              maxLength={MAX_MESSAGE}
              placeholder="Maintenance on Sunday, 06:00 to 06:30 UTC."
            />
            <SelectField label="For" name="hours" defaultValue="24" options={DURATIONS} />
          </Form>
        </div>
      </Card>
    </Page>
  )
}

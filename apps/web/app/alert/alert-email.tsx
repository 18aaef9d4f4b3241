import { AlertTabs } from './alert-tabs.tsx'
import { PushCard } from './push-card.tsx'
import { Card } from '../ui/card.tsx'
import { SelectField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { loadEmailSettings, saveEmailSettings } from './alert-email.server.ts'
import type { Route } from './+types/alert-email.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  return loadEmailSettings(context, new URL(request.url).searchParams)
}

export async function action({ request, context }: Route.ActionArgs) {
  return saveEmailSettings(context, request)
}

const FREQUENCIES: [string, string][] = [
  ['at_once', 'At once'],
  ['daily', 'Once a day'],
  ['off', 'Never'],
]
const HOURS: [string, string][] = Array.from({ length: 24 }, (_, hour) => [
  String(hour),
  `${String(hour).padStart(2, '0')}:00`,
])

/** When the account gets email about its alerts. */
export default function AlertEmail({ loaderData, actionData: result }: Route.ComponentProps) {
  const { email, settings, bouncedAt, isSaved, isTested, timeZones, push } = loaderData
  return (
    <Page
      title="Email about alerts"
      description={`We send alerts to ${email}. They’re always on the Alerts page too.`}
      actions={<AlertTabs selected="email" />}
    >
      <title>Email about alerts · Brickmark</title>
      {isSaved && result === undefined && <Notice tone="gain">Saved.</Notice>}
      {bouncedAt !== null && (
        <Notice tone="loss">
          We stopped sending alerts on <Timestamp iso={bouncedAt} />, because {email} rejects our mail. Save these
          settings to try again.
        </Notice>
      )}
      <Card>
        <div className="max-w-sm">
          <Form submitLabel="Save" error={result && 'actionError' in result ? result.actionError : undefined}>
            <SelectField
              label="Send email"
              name="frequency"
              options={FREQUENCIES}
              defaultValue={settings.frequency}
              hint="At once means within seconds, and at most one email every five minutes."
            />
            <SelectField
              label="Once a day at"
              name="daily-at"
              options={HOURS}
              defaultValue={String(settings.dailyAt)}
            />
            <SelectField
              label="Quiet from"
              name="quiet-from"
              options={HOURS}
              defaultValue={String(settings.quietFrom)}
              hint="Alerts during quiet hours come in one email at the end."
            />
            <SelectField
              label="Quiet until"
              name="quiet-to"
              options={HOURS}
              defaultValue={String(settings.quietTo)}
              hint="The same hour twice means no quiet hours."
            />
            <SelectField
              label="Time zone"
              name="time-zone"
              options={timeZones.map((zone) => [zone, zone.replaceAll('_', ' ')])}
              defaultValue={settings.timeZone}
            />
          </Form>
        </div>
      </Card>
      {push !== undefined && (
        <PushCard
          push={push}
          isTested={isTested}
          error={result && 'pushError' in result ? result.pushError : undefined}
        />
      )}
    </Page>
  )
}

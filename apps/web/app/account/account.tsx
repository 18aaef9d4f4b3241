import { useSearchParams } from 'react-router'
import { findCurrencies } from '@brickmark/core/market/currency/exchange-rate-queries'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { AddPasskeyButton } from '../sign-in/passkey-buttons.tsx'
import { CurrencyCard } from './currency-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import { handleSecurityAction, loadSecurity } from './account-security.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { loadPlanSummary } from './plan.server.ts'
import type { Route } from './+types/account.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { name, email } = requireUser(context)
  const [plan, currencies, security] = await Promise.all([
    loadPlanSummary(context),
    findCurrencies(getServices(context).db, utcDayOf(new Date())),
    loadSecurity(request, context),
  ])
  return { name, email, plan, currencies, ...security }
}

const SUCCESS_MESSAGES: Record<string, string> = {
  password: 'Password changed. You’ve been signed out on your other devices.',
}

export async function action({ request, context }: Route.ActionArgs) {
  return handleSecurityAction(request, context, await readForm(request))
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function Account({ loaderData, actionData: result }: Route.ComponentProps) {
  const { name, email, plan, currencies, twoFactor, passkeys, sessions } = loaderData
  const [search] = useSearchParams()
  const success =
    result === undefined ? SUCCESS_MESSAGES[search.get('done') ?? ''] : 'success' in result ? result.success : undefined
  const errorFor = (intent: string) => (result?.intent === intent && 'error' in result ? result.error : undefined)
  return (
    <Page
      title="Account"
      description={`${name}, ${email}`}
      actions={<ButtonLink to="/account/activity">Activity log</ButtonLink>}
    >
      <title>Account · Brickmark</title>
      {success !== undefined && <Notice tone="gain">{success}</Notice>}
      {search.get('need') === 'second-factor' && (
        <Notice tone="warn" title="Admins need a second factor">
          Turn on two-factor authentication below, or add a passkey and sign in with it, to open the admin pages.
        </Notice>
      )}
      <PlanCard {...plan} />
      <CurrencyCard currencies={currencies} />
      <Card
        title="Two-factor authentication"
        actions={<Badge tone={twoFactor ? 'gain' : 'warn'}>{twoFactor ? 'On' : 'Off'}</Badge>}
      >
        <p className="mb-3 text-ink-soft">
          {twoFactor
            ? 'We ask for a code from your authenticator app when you sign in with your password.'
            : 'Add a second layer of protection with an authenticator app.'}
        </p>
        <ButtonLink to="/account/two-factor">{twoFactor ? 'Manage' : 'Turn on'}</ButtonLink>
      </Card>
      <Card title="Passkeys">
        {passkeys.length === 0 && (
          <p className="mb-3 text-ink-soft">Sign in with your fingerprint, face or device PIN instead of a password.</p>
        )}
        {errorFor('remove-passkey') !== undefined && <Notice tone="loss">{errorFor('remove-passkey')}</Notice>}
        <ul className="mb-3 grid gap-3">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center justify-between gap-2">
              <span>
                {passkey.name}, added <Timestamp iso={passkey.added} />
              </span>
              <Form submitLabel={`Remove ${passkey.name}`} variant="plain" intent="remove-passkey">
                <input type="hidden" name="id" value={passkey.id} />
              </Form>
            </li>
          ))}
        </ul>
        <AddPasskeyButton />
      </Card>
      <Card title="Password">
        <div className="max-w-sm">
          <Form submitLabel="Change password" variant="plain" intent="password" error={errorFor('password')}>
            <TextField
              label="Current password"
              name="current"
              type="password"
              required
              autoComplete="current-password"
            />
            <TextField
              label="New password"
              name="new"
              type="password"
              required
              minLength={10}
              maxLength={128}
              autoComplete="new-password"
              hint="At least 10 characters. You’ll be signed out on your other devices."
            />
          </Form>
        </div>
      </Card>
      <SessionsCard sessions={sessions} problem={errorFor('end-session')} />
      <Card title="Export your data">
        <p className="mb-3 max-w-prose text-ink-soft">
          Download everything we store about you as one JSON file: collections, lots, sales, imports, API keys (never
          the secrets), usage and activity.
        </p>
        <ButtonLink to="/account/export.json" reloadDocument>
          Export data
        </ButtonLink>
      </Card>
      <Card title="Delete account">
        <p className="mb-3 max-w-prose text-ink-soft">
          Permanently delete your account and all of its data. We’ll ask you to sign in again and show you exactly what
          gets deleted.
        </p>
        <ButtonLink to="/account/delete" variant="danger">
          Delete account
        </ButtonLink>
      </Card>
    </Page>
  )
}

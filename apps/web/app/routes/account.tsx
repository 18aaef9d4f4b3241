import {
  useActionData,
  useLoaderData,
  useSearchParams,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { Badge } from '../components/badge.tsx'
import { ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { TextField } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { Page, Timestamp } from '../components/page.tsx'
import { AddPasskeyButton } from '../components/passkey-buttons.tsx'
import { PlanCard } from '../components/plan-card.tsx'
import { SessionsCard } from '../components/sessions-card.tsx'
import { handleSecurityAction, loadSecurity } from '../server/account-security.ts'
import { requireUser } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { loadPlanSummary } from '../server/plan.ts'

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { name, email } = requireUser(context)
  const [plan, security] = await Promise.all([loadPlanSummary(context), loadSecurity(request, context)])
  return { name, email, plan, ...security }
}

const SUCCESS_MESSAGES: Record<string, string> = {
  password: 'The password is changed, and your other sessions have ended.',
}

export async function action({ request, context }: ActionFunctionArgs) {
  return handleSecurityAction(request, context, await readForm(request))
}

export { actionHeaders as headers } from '../server/call-auth.ts'

export default function Account() {
  const { name, email, plan, twoFactor, passkeys, sessions } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const [search] = useSearchParams()
  const success =
    result === undefined ? SUCCESS_MESSAGES[search.get('done') ?? ''] : 'success' in result ? result.success : undefined
  const errorFor = (intent: string) => (result?.intent === intent && 'error' in result ? result.error : undefined)
  return (
    <Page
      title="Account"
      description={`${name}, ${email}`}
      actions={<ButtonLink to="/account/history">What was changed</ButtonLink>}
    >
      <title>Account · Brickmark</title>
      {success !== undefined && <Notice tone="gain">{success}</Notice>}
      {search.get('need') === 'second-factor' && (
        <Notice tone="warn" title="Operators need a second factor">
          Switch on the second step below, or add a passkey and sign in with it. Then the operator pages open.
        </Notice>
      )}
      <PlanCard {...plan} />
      <Card title="Second step" actions={<Badge tone={twoFactor ? 'gain' : 'warn'}>{twoFactor ? 'On' : 'Off'}</Badge>}>
        <p className="mb-3 text-ink-soft">
          {twoFactor
            ? 'After your password we ask for a code of your authenticator app.'
            : 'With an authenticator app, a stolen password alone lets nobody in.'}
        </p>
        <ButtonLink to="/account/two-factor">{twoFactor ? 'Change' : 'Switch on'}</ButtonLink>
      </Card>
      <Card title="Passkeys">
        {passkeys.length === 0 && (
          <p className="mb-3 text-ink-soft">
            Sign in with a finger, a face or a PIN of your device instead of a password.
          </p>
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
          <Form submitLabel="Change the password" variant="plain" intent="password" error={errorFor('password')}>
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
              hint="At least 10 characters. Your other sessions end."
            />
          </Form>
        </div>
      </Card>
      <SessionsCard sessions={sessions} problem={errorFor('end-session')} />
      <Card title="Take everything along">
        <p className="mb-3 max-w-prose text-ink-soft">
          One JSON file with all we keep about you: collections, lots, sales, imports, keys (never the keys themselves),
          usage and history.
        </p>
        <ButtonLink to="/account/export.json" reloadDocument>
          Download everything
        </ButtonLink>
      </Card>
      <Card title="Delete the account">
        <p className="mb-3 max-w-prose text-ink-soft">
          For good, with everything in it. You will be asked to sign in once more, and then what you lose is listed.
        </p>
        <ButtonLink to="/account/delete" variant="danger">
          Delete the account
        </ButtonLink>
      </Card>
    </Page>
  )
}

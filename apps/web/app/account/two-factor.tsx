import { data, redirect } from 'react-router'
import { renderSVG } from 'uqr'
import { Card } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { callAuth } from '../sign-in/call-auth.server.ts'
import { requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { requireRecentSignIn, safeRedirectPath } from '../request/session.server.ts'
import type { Route } from './+types/two-factor.ts'

export function loader({ context }: Route.LoaderArgs) {
  return { on: requireUser(context).twoFactor }
}

type Enrollment = { uri: string; codes: string[]; qrCode: string }

function createEnrollment(uri: string, codes: string[]): Enrollment {
  return { uri, codes, qrCode: `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 2 }))}` }
}

export async function action({ request, context }: Route.ActionArgs) {
  requireRecentSignIn(context, '/account/two-factor')
  const field = await readForm(request)
  const intent = field('intent')
  if (intent === 'begin') {
    const started = await callAuth(request, context, '/two-factor/enable', {
      password: field('password'),
      method: 'totp',
    })
    if (!started.ok) return data({ intent, problem: started.actionError }, 400)
    return {
      intent,
      enrollment: createEnrollment(String(started.data['totpURI']), started.data['backupCodes'] as string[]),
    }
  }
  if (intent === 'confirm') {
    const verified = await callAuth(request, context, '/two-factor/verify-totp', {
      code: field('code').replaceAll(/\s/g, ''),
    })
    const to = new URL(request.url).searchParams.get('to')
    if (verified.ok) return redirect(to === null ? '/account' : safeRedirectPath(to), { headers: verified.headers })
    // Show the same secret again, so that a mistyped code doesn't force the user to start over.
    const enrollment = createEnrollment(field('uri'), field('codes').split(' '))
    return data({ intent, problem: verified.actionError, enrollment }, 400)
  }
  if (intent === 'codes') {
    const generated = await callAuth(request, context, '/two-factor/generate-backup-codes', {
      password: field('password'),
    })
    return generated.ok
      ? { intent, codes: generated.data['backupCodes'] as string[] }
      : data({ intent, problem: generated.actionError }, 400)
  }
  const ended = await callAuth(request, context, '/two-factor/disable', { password: field('password') })
  return ended.ok ? redirect('/account', { headers: ended.headers }) : data({ intent, problem: ended.actionError }, 400)
}

export default function TwoFactor({ loaderData, actionData: result }: Route.ComponentProps) {
  const { on } = loaderData
  const problemOf = (intent: string) => (result?.intent === intent && 'problem' in result ? result.problem : undefined)
  const password = (
    <TextField label="Password" name="password" type="password" required autoComplete="current-password" />
  )
  return (
    <Page
      title="Two-factor authentication"
      narrow
      description="Protect your account with a code from an authenticator app."
    >
      <title>Two-factor authentication · Brickmark</title>
      {result && 'enrollment' in result ? (
        <EnrollSteps enrollment={result.enrollment} problem={problemOf('confirm')} />
      ) : on ? (
        <>
          <Card title="Recovery codes">
            {result && 'codes' in result ? (
              <CodeBlock label="Your new recovery codes. The old ones no longer work." text={result.codes.join('\n')} />
            ) : (
              <Form submitLabel="Generate new codes" variant="plain" intent="codes" error={problemOf('codes')}>
                {password}
              </Form>
            )}
          </Card>
          <Card title="Turn off two-factor authentication">
            <Form submitLabel="Turn off" variant="danger" intent="end" error={problemOf('end')}>
              {password}
            </Form>
          </Card>
        </>
      ) : (
        <Form submitLabel="Continue" intent="begin" error={problemOf('begin')}>
          {password}
        </Form>
      )}
    </Page>
  )
}

function EnrollSteps({
  enrollment: { uri, codes, qrCode },
  problem,
}: {
  enrollment: Enrollment
  problem: string | undefined
}) {
  return (
    <>
      <Card title="1. Scan the QR code with your authenticator app">
        <img
          src={qrCode}
          alt="QR code for your authenticator app"
          width={200}
          height={200}
          className="mb-3 bg-[white]"
        />
        <CodeBlock label="Or enter this setup key" text={/secret=([A-Z2-7]+)/.exec(uri)?.[1] ?? ''} />
      </Card>
      <Card title="2. Save your recovery codes">
        <CodeBlock label="Use one to sign in if you lose your phone. Each works once." text={codes.join('\n')} />
      </Card>
      <Card title="3. Enter the 6-digit code">
        <Form submitLabel="Turn on" intent="confirm" error={problem}>
          <input type="hidden" name="uri" value={uri} />
          <input type="hidden" name="codes" value={codes.join(' ')} />
          <TextField
            label="Code"
            name="code"
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
          />
        </Form>
      </Card>
    </>
  )
}

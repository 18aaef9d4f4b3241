import { data, Link } from 'react-router'
import { findAccount } from '@brickmark/core/account/operator-queries'
import { findPlans } from '@brickmark/core/account/plan-queries'
import { changePlanAsOperator } from '@brickmark/core/account/account-commands'
import { capitalize } from '../ui/capitalize.ts'
import { Card, Stat } from '../ui/card.tsx'
import { SelectField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { actionError } from '../request/action-result.server.ts'
import { parseId } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'
import type { Route } from './+types/admin-account.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const account = await findAccount(db, requireUser(context).sessionToken, parseId(params.id))
  if (!account) throw data('not found', 404)
  return {
    id: account.account_id,
    name: account.name,
    email: account.email,
    plan: account.plan,
    createdAt: account.created_at.toISOString(),
    keys: account.active_keys,
    usedToday: account.used_today,
    plans: (await findPlans(db)).map(({ plan, api_access, daily_limit }) => ({
      plan,
      label: `${capitalize(plan)}: ${api_access ? `API access, ${daily_limit.toLocaleString('en-US')} credits per key per day` : 'no API access'}`,
    })),
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const accountId = parseId(params.id)
  requireRecentSignIn(context, `/admin/accounts/${accountId}`)
  const plan = (await readForm(request))('plan')
  const change = { accountId, plan }
  const changed = await changePlanAsOperator(getServices(context).db, requireUser(context).sessionToken, change)
  return changed ? { done: plan } : actionError('The account is already on that plan, or the plan doesn’t exist.', 409)
}

/** Account details, with a form to change the plan. */
export default function AdminAccount({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name, email, plan, createdAt, keys, usedToday, plans } = loaderData
  return (
    <Page title={name} description={`Account ${id}, ${email ?? 'no sign-in'}`}>
      <title>{`${name} · Brickmark`}</title>
      {result && 'done' in result && (
        <Notice tone="gain">
          Plan changed to {capitalize(result.done)}. It takes effect immediately and appears in the account’s activity
          log.
        </Notice>
      )}
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat label="Plan">{capitalize(plan)}</Stat>
        <Stat label="Credits today" detail="All keys">
          {usedToday.toLocaleString('en-US')}
        </Stat>
        <Stat
          label="Active keys"
          detail={
            <>
              Created <Timestamp iso={createdAt} />
            </>
          }
        >
          {keys}
        </Stat>
      </div>
      <Card title="Change plan">
        <div className="max-w-sm">
          <Form submitLabel="Change plan" error={result && 'actionError' in result ? result.actionError : undefined}>
            <SelectField
              key={plan}
              label="Plan"
              name="plan"
              defaultValue={plan}
              options={plans.map((option): [string, string] => [option.plan, option.label])}
              hint="The account owner sees this in their activity log."
            />
          </Form>
        </div>
      </Card>
      <p>
        <Link to="/admin">All accounts</Link>
      </p>
    </Page>
  )
}

import {
  data,
  Link,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { findAccount } from '@brickmark/core/account/operator-queries'
import { findPlans } from '@brickmark/core/account/plan-queries'
import { changePlanAsOperator } from '@brickmark/core/account/account-commands'
import { Card, Figure } from '../components/card.tsx'
import { Choice } from '../components/field.tsx'
import { Form } from '../components/form.tsx'
import { Notice } from '../components/notice.tsx'
import { Page, Time } from '../components/page.tsx'
import { inTitleCase } from '../components/plan-card.tsx'
import { problem } from '../server/call-auth.ts'
import { idIn } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { readForm } from '../server/form.ts'
import { requireRecentSignIn } from '../server/session.ts'

export async function loader({ context, params }: LoaderFunctionArgs) {
  const { db } = servicesOf(context)
  const account = await findAccount(db, signedIn(context).sessionToken, idIn(params['id']))
  if (!account) throw data('not found', 404)
  return {
    id: account.account_id,
    name: account.name,
    email: account.email,
    plan: account.plan,
    since: account.created_at.toISOString(),
    keys: account.active_keys,
    usedToday: account.used_today,
    plans: (await findPlans(db)).map(({ plan, api_access, daily_limit }) => ({
      plan,
      words: `${inTitleCase(plan)}: ${api_access ? `API, ${daily_limit.toLocaleString('en-US')} units a key and day` : 'no API'}`,
    })),
  }
}

export async function action({ request, context, params }: ActionFunctionArgs) {
  const accountId = idIn(params['id'])
  requireRecentSignIn(context, `/operator/accounts/${accountId}`)
  const plan = (await readForm(request))('plan')
  const change = { accountId, plan }
  const changed = await changePlanAsOperator(servicesOf(context).db, signedIn(context).sessionToken, change)
  return changed ? { done: plan } : problem('It is on that plan already, or there is no such plan.', 409)
}

/** One account: how it stands, and its plan to be changed. */
export default function OperatorAccount() {
  const { id, name, email, plan, since, keys, usedToday, plans } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Page title={name} lead={`Account ${id}, ${email ?? 'to which nobody can sign in'}`}>
      <title>{`${name} · Brickmark`}</title>
      {result && 'done' in result && (
        <Notice tone="gain">
          The plan is {inTitleCase(result.done)} from the next request on. The account’s history says so.
        </Notice>
      )}
      <div className="grid gap-3 sm:grid-cols-3">
        <Figure label="Plan">{inTitleCase(plan)}</Figure>
        <Figure label="Units today" hint="of all keys">
          {usedToday.toLocaleString('en-US')}
        </Figure>
        <Figure
          label="Active keys"
          hint={
            <>
              Account since <Time iso={since} />
            </>
          }
        >
          {keys}
        </Figure>
      </div>
      <Card title="Another plan">
        <div className="max-w-sm">
          <Form submit="Change the plan" problem={result && 'problem' in result ? result.problem : undefined}>
            <Choice
              key={plan}
              label="Plan"
              name="plan"
              defaultValue={plan}
              options={plans.map((one): [string, string] => [one.plan, one.words])}
              hint="Its owner sees the change in their history."
            />
          </Form>
        </div>
      </Card>
      <p>
        <Link to="/operator">All accounts</Link>
      </p>
    </Page>
  )
}

import { data, Link } from 'react-router'
import { findAccount, findSignals } from '@brickmark/core/account/operator-queries'
import { SIGNAL_DAYS } from '@brickmark/core/account/signal'
import { findPlans } from '@brickmark/core/account/plan-queries'
import {
  changePlanAsOperator,
  setSuspendedAsOperator,
  type SuspensionOutcome,
} from '@brickmark/core/account/account-commands'
import { isReason, MAX_REASON } from '@brickmark/core/account/suspension'
import { capitalize } from '../ui/capitalize.ts'
import { Card, Stat } from '../ui/card.tsx'
import { countOf } from '../ui/count-of.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { formatDate } from '../ui/format-date.ts'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { actionError } from '../request/action-result.server.ts'
import { cleanText, parseId } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { requireRecentSignIn } from '../request/session.server.ts'
import { SIGNALS } from './signals.ts'
import type { Route } from './+types/admin-account.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = getServices(context)
  const { sessionToken, accountId: ownId } = requireUser(context)
  const account = await findAccount(db, sessionToken, parseId(params.id))
  if (!account) throw data('not found', 404)
  const signals = await findSignals(db, sessionToken, [account.account_id])
  return {
    id: account.account_id,
    name: account.name,
    email: account.email,
    plan: account.plan,
    createdAt: account.created_at.toISOString(),
    keys: account.active_keys,
    usedToday: account.used_today,
    isOwn: account.account_id === ownId,
    suspension: account.suspended_at && {
      since: account.suspended_at.toISOString(),
      reason: account.suspension_reason ?? '',
    },
    signals: signals.map(({ signal, count, last_at }) => ({ signal, count, lastAt: last_at.toISOString() })),
    plans: (await findPlans(db)).map(({ plan, api_access, daily_limit }) => ({
      plan,
      label: `${capitalize(plan)}: ${api_access ? `API access, ${daily_limit.toLocaleString('en-US')} credits per key per day` : 'no API access'}`,
    })),
  }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const accountId = parseId(params.id)
  requireRecentSignIn(context, `/admin/accounts/${accountId}`)
  const { db } = getServices(context)
  const { sessionToken } = requireUser(context)
  const field = await readForm(request)
  const intent = field('intent')
  if (intent === 'suspend' || intent === 'restore') {
    const reason = cleanText(field('reason'))
    if (!isReason(reason)) return actionError(`Enter a reason of up to ${MAX_REASON} characters.`)
    const change = { accountId, suspend: intent === 'suspend', reason }
    const outcome = await setSuspendedAsOperator(db, sessionToken, change)
    return outcome === 'done' ? { done: DONE[intent] } : actionError(PROBLEMS[outcome], 409)
  }
  const plan = field('plan')
  const changed = await changePlanAsOperator(db, sessionToken, { accountId, plan })
  if (!changed) return actionError('The account is already on that plan, or the plan doesn’t exist.', 409)
  return {
    done: `Plan changed to ${capitalize(plan)}. It takes effect immediately and appears in the account’s activity log.`,
  }
}

const DONE = {
  suspend: 'Suspended. Its keys are refused, its sessions have ended, and its mail and webhooks wait.',
  restore: 'Restored. Its keys work again, and mail and webhooks that waited are on their way.',
}

const PROBLEMS: Record<Exclude<SuspensionOutcome, 'done'>, string> = {
  unchanged: 'Somebody else has done this already.',
  not_found: 'The account doesn’t exist any more.',
  self: 'You can’t suspend your own account.',
  last_operator: 'This is the account of the last admin. Appoint another one first.',
}

/** Account details, with forms to change the plan, and to suspend or restore the account. */
export default function AdminAccount({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name, email, plan, createdAt, keys, usedToday, plans, isOwn, suspension, signals } = loaderData
  const intent = suspension === null ? 'suspend' : 'restore'
  return (
    <Page title={name} description={`Account ${id}, ${email ?? 'no sign-in'}`}>
      <title>{`${name} · Brickmark`}</title>
      {result && 'done' in result && <Notice tone="gain">{result.done}</Notice>}
      {result && 'actionError' in result && <Notice tone="loss">{result.actionError}</Notice>}
      {suspension && (
        <Notice tone="warn" title="Suspended">
          Since <Timestamp iso={suspension.since} />: <span className="wrap-anywhere">{suspension.reason}</span>
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
      <Card title="Signals">
        {signals.length === 0 ? (
          <p>None in the last {SIGNAL_DAYS} days.</p>
        ) : (
          <Table
            caption={`Signals of the last ${SIGNAL_DAYS} days, latest first`}
            rows={signals}
            rowKey={({ signal }) => signal}
            columns={[
              { key: 'signal', title: 'Signal', cell: ({ signal }) => SIGNALS[signal].label },
              {
                key: 'count',
                title: 'Count',
                cell: ({ signal, count }) => `${countOf(count, SIGNALS[signal].noun)} ${SIGNALS[signal].which}`,
              },
              {
                key: 'window',
                title: 'Window',
                cell: ({ signal }) => (signal === 'mail_bounced' ? 'Until mail is resumed' : `${SIGNAL_DAYS} days`),
              },
              {
                key: 'last',
                title: 'Last',
                cell: ({ signal, lastAt }) =>
                  SIGNALS[signal].byDay === true ? formatDate(lastAt.slice(0, 10)) : <Timestamp iso={lastAt} />,
              },
              { key: 'meaning', title: 'What it may mean', cell: ({ signal }) => SIGNALS[signal].meaning },
            ]}
          />
        )}
      </Card>
      <Card title="Change plan">
        <div className="max-w-sm">
          <Form submitLabel="Change plan">
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
      {!isOwn && (
        <Card title={suspension ? 'Restore account' : 'Suspend account'}>
          <div className="grid max-w-lg gap-3">
            <p className="text-sm text-ink-soft">
              {suspension
                ? 'Everything is as it was: keys, credits, alerts. Mail and webhooks that waited are sent; people sign in again.'
                : 'Refuses its keys and sign-ins, ends its sessions, and holds its mail and webhooks. Nothing is deleted.'}
            </p>
            <Form
              key={intent}
              submitLabel={suspension ? 'Restore account' : 'Suspend account'}
              variant={suspension ? 'main' : 'danger'}
              intent={intent}
            >
              <TextField
                label="Reason"
                name="reason"
                required
                maxLength={MAX_REASON}
                hint="The account owner can read it in their activity log."
              />
            </Form>
          </div>
        </Card>
      )}
      <p>
        <Link to="/admin">All accounts</Link>
      </p>
    </Page>
  )
}

import { Form, Link } from 'react-router'
import { findAccounts, findSignals } from '@brickmark/core/account/operator-queries'
import { SIGNAL_DAYS } from '@brickmark/core/account/signal'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { SegmentedLinks } from '../ui/segmented-links.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Table } from '../ui/table.tsx'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { SIGNALS } from './signals.ts'
import type { Route } from './+types/admin-accounts.ts'

const LIMIT = 50
/** How many accounts a page of “Needs a look” searches for signals. Searching all of them would take too long. */
const LOOK_LIMIT = 500

const VIEWS: [view: string, label: string][] = [
  ['', 'All'],
  ['look', 'Needs a look'],
  ['suspended', 'Suspended'],
]

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const view = VIEWS.find(([name]) => name === searchParams.get('view'))?.[0] ?? ''
  const search = cleanText(searchParams.get('q')).slice(0, 200)
  const before = Number(searchParams.get('before'))
  const beforeId = Number.isSafeInteger(before) && before > 0 ? before : undefined
  const { sessionToken } = requireUser(context)
  const { db } = getServices(context)
  const { accounts: found, hasMore } = await findAccounts(db, sessionToken, {
    search,
    onlySuspended: view === 'suspended',
    limit: view === 'look' ? LOOK_LIMIT : LIMIT,
    beforeId,
  })
  const signals = Map.groupBy(
    await findSignals(
      db,
      sessionToken,
      found.map(({ account_id }) => account_id),
    ),
    ({ account_id }) => account_id,
  )
  const accounts = view === 'look' ? found.filter(({ account_id }) => signals.has(account_id)) : found
  return {
    view,
    search,
    lastId: found.at(-1)?.account_id,
    isFirstPage: beforeId === undefined,
    hasMore,
    accounts: accounts.map((account) => ({
      id: account.account_id,
      name: account.name,
      email: account.email,
      operator: account.operator,
      plan: account.plan,
      since: account.created_at.toISOString(),
      keys: account.active_keys,
      usedToday: account.used_today,
      signedIn: account.signed_in_at?.toISOString() ?? null,
      suspended: account.suspended_at !== null,
      signals: (signals.get(account.account_id) ?? []).map(({ signal, count }) => ({ signal, count })),
    })),
  }
}

/** Searchable list of all accounts. */
export default function AdminAccounts({ loaderData }: Route.ComponentProps) {
  const { view, search, lastId, isFirstPage, hasMore, accounts } = loaderData
  const pageUrl = (before?: number, shown = view) =>
    `/admin?${new URLSearchParams({
      ...(shown && { view: shown }),
      ...(search && { q: search }),
      ...(before && { before: String(before) }),
    })}`
  return (
    <Page
      title="Accounts"
      description="Everyone with an account. Collections and sales are private and never visible to admins."
    >
      <title>Accounts · Brickmark</title>
      <Form role="search" className="flex flex-wrap items-end gap-3">
        <div className="w-full max-w-sm">
          <TextField
            key={search}
            label="Name, email or account ID"
            name="q"
            type="search"
            defaultValue={search}
            maxLength={200}
          />
        </div>
        {view !== '' && <input type="hidden" name="view" value={view} />}
        <Button variant="plain">Search</Button>
      </Form>
      <SegmentedLinks label="View" selected={view} options={VIEWS} hrefFor={(name) => pageUrl(undefined, name)} />
      {view === 'look' && (
        <p className="text-sm text-ink-soft">
          Accounts with a signal in the last {SIGNAL_DAYS} days, among {isFirstPage ? 'the newest' : 'the next'}{' '}
          {LOOK_LIMIT}
          {search !== '' && ` that match “${search}”`}.
        </p>
      )}
      {accounts.length === 0 ? (
        <EmptyState title={search === '' ? EMPTY[view]!.title : 'No matching accounts'}>
          {search === '' ? EMPTY[view]!.text : `No accounts match “${search}”.`}
        </EmptyState>
      ) : (
        <Card title="Accounts">
          <Table
            caption="Accounts, newest first"
            rows={accounts}
            rowKey={(account) => account.id}
            columns={[
              {
                key: 'name',
                title: 'Account',
                cell: ({ id, name, email, operator, suspended }) => (
                  <span>
                    <Link to={`/admin/accounts/${id}`}>{name}</Link> {operator && <Badge tone="accent">Admin</Badge>}{' '}
                    {suspended && <Badge tone="loss">Suspended</Badge>}
                    <br />
                    <span className="font-normal break-all text-ink-soft">{email ?? 'No sign-in'}</span>
                  </span>
                ),
              },
              { key: 'id', title: 'ID', right: true, cell: ({ id }) => id },
              { key: 'plan', title: 'Plan', cell: ({ plan }) => capitalize(plan) },
              { key: 'keys', title: 'Keys', right: true, cell: ({ keys }) => keys },
              {
                key: 'used',
                title: 'Credits today',
                right: true,
                cell: ({ usedToday }) => usedToday.toLocaleString('en-US'),
              },
              {
                key: 'signed-in',
                title: 'Session since',
                cell: (account) =>
                  account.signedIn === null ? 'No active session' : <Timestamp iso={account.signedIn} />,
              },
              {
                key: 'signals',
                title: 'Signals',
                cell: ({ signals }) =>
                  signals.length === 0
                    ? 'None'
                    : signals.map(({ signal, count }) => (
                        <span key={signal} className="block whitespace-nowrap">
                          {SIGNALS[signal].label}: {count.toLocaleString('en-US')}
                        </span>
                      )),
              },
              { key: 'since', title: 'Created', cell: ({ since }) => <Timestamp iso={since} /> },
            ]}
          />
        </Card>
      )}
      {(hasMore || !isFirstPage) && (
        <nav aria-label="Pagination" className="flex justify-end gap-2 text-sm">
          {!isFirstPage && <ButtonLink to={pageUrl()}>Newest</ButtonLink>}
          {hasMore && <ButtonLink to={pageUrl(lastId)}>Older</ButtonLink>}
        </nav>
      )}
    </Page>
  )
}

const EMPTY: Record<string, { title: string; text: string }> = {
  '': { title: 'No accounts yet', text: 'Accounts appear here when people sign up.' },
  look: { title: 'Nothing needs a look', text: 'None of these accounts has a signal.' },
  suspended: { title: 'No suspended accounts', text: 'You can suspend an account on its page.' },
}

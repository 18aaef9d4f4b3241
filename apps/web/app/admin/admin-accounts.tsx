import { Form, Link } from 'react-router'
import { findAccounts } from '@brickmark/core/account/operator-queries'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TextField } from '../ui/field.tsx'
import { Page } from '../ui/page.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { Table } from '../ui/table.tsx'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import type { Route } from './+types/admin-accounts.ts'

const LIMIT = 50

export async function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url)
  const search = cleanText(searchParams.get('q')).slice(0, 200)
  const before = Number(searchParams.get('before'))
  const beforeId = Number.isSafeInteger(before) && before > 0 ? before : undefined
  const { sessionToken } = requireUser(context)
  const { accounts, hasMore } = await findAccounts(getServices(context).db, sessionToken, {
    search,
    limit: LIMIT,
    beforeId,
  })
  return {
    search,
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
    })),
  }
}

/** Searchable list of all accounts. */
export default function AdminAccounts({ loaderData }: Route.ComponentProps) {
  const { search, isFirstPage, hasMore, accounts } = loaderData
  const pageUrl = (before?: number) =>
    `/admin?${new URLSearchParams({ ...(search && { q: search }), ...(before && { before: String(before) }) })}`
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
        <Button variant="plain">Search</Button>
      </Form>
      {accounts.length === 0 ? (
        <EmptyState title={search === '' ? 'No accounts yet' : 'No matching accounts'}>
          {search === '' ? 'Accounts appear here when people sign up.' : `No accounts match “${search}”.`}
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
                cell: ({ id, name, email, operator }) => (
                  <span>
                    <Link to={`/admin/accounts/${id}`}>{name}</Link> {operator && <Badge tone="accent">Admin</Badge>}
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
              { key: 'since', title: 'Created', cell: ({ since }) => <Timestamp iso={since} /> },
            ]}
          />
          {(hasMore || !isFirstPage) && (
            <nav aria-label="Pagination" className="mt-3 flex justify-end gap-2 text-sm">
              {!isFirstPage && <ButtonLink to={pageUrl()}>Newest</ButtonLink>}
              {hasMore && <ButtonLink to={pageUrl(accounts.at(-1)?.id)}>Older</ButtonLink>}
            </nav>
          )}
        </Card>
      )}
    </Page>
  )
}

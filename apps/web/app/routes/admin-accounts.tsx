import { Form, Link, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { findAccounts } from '@brickmark/core/account/operator-queries'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { TextField } from '../components/field.tsx'
import { Page, Timestamp } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { capitalize } from '../components/plan-card.tsx'
import { Table } from '../components/table.tsx'
import { cleanText } from '../server/collection.ts'
import { getServices, requireUser } from '../server/context.ts'
import { parseOffset } from '../server/admin.ts'

const LIMIT = 50

export async function loader({ request, context }: LoaderFunctionArgs) {
  const search = cleanText(new URL(request.url).searchParams.get('q')).slice(0, 200)
  const offset = parseOffset(request)
  const { sessionToken } = requireUser(context)
  const { accounts, total } = await findAccounts(getServices(context).db, sessionToken, {
    search,
    limit: LIMIT,
    offset,
  })
  return {
    search,
    offset,
    total,
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
export default function AdminAccounts() {
  const { search, offset, total, accounts } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Accounts and plans"
      description="Who uses the service. You see no collections and no sales here, nor could you."
    >
      <title>Accounts and plans · Brickmark</title>
      <Form role="search" className="flex flex-wrap items-end gap-3">
        <div className="w-full max-w-sm">
          <TextField
            key={search}
            label="Name, address or number"
            name="q"
            type="search"
            defaultValue={search}
            maxLength={200}
          />
        </div>
        <Button variant="plain">Search</Button>
      </Form>
      {accounts.length === 0 ? (
        <EmptyState title="No account fits">
          {search === '' ? 'Nobody has signed up yet.' : `Nothing has “${search}” in its name, address or number.`}
        </EmptyState>
      ) : (
        <Card title={`${total.toLocaleString('en-US')} ${total === 1 ? 'account' : 'accounts'}`}>
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
                    <Link to={`/admin/accounts/${id}`}>{name}</Link> {operator && <Badge tone="accent">Operator</Badge>}
                    <br />
                    <span className="font-normal break-all text-ink-soft">{email ?? 'nobody can sign in'}</span>
                  </span>
                ),
              },
              { key: 'id', title: 'Number', right: true, cell: ({ id }) => id },
              { key: 'plan', title: 'Plan', cell: ({ plan }) => capitalize(plan) },
              { key: 'keys', title: 'Keys', right: true, cell: ({ keys }) => keys },
              {
                key: 'used',
                title: 'Units today',
                right: true,
                cell: ({ usedToday }) => usedToday.toLocaleString('en-US'),
              },
              {
                key: 'signed-in',
                title: 'Signed in',
                cell: (account) => (account.signedIn === null ? 'No session' : <Timestamp iso={account.signedIn} />),
              },
              { key: 'since', title: 'Since', cell: ({ since }) => <Timestamp iso={since} /> },
            ]}
          />
          <Pager
            offset={offset}
            limit={LIMIT}
            total={total}
            to={(next) => `/admin?${new URLSearchParams({ ...(search && { q: search }), offset: String(next) })}`}
          />
        </Card>
      )}
    </Page>
  )
}

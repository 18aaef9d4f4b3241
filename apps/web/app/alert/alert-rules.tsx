import { Form as RouterForm, Link } from 'react-router'
import { RULE_LABELS } from '@brickmark/core/alert/alert-text'
import { MINIFIG_RULE_KINDS, RULE_KINDS } from '@brickmark/core/alert/rule'
import { AlertTabs } from './alert-tabs.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { changeRules, loadRules } from './alerts.server.ts'
import type { Route } from './+types/alert-rules.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  return loadRules(context, new URL(request.url).searchParams)
}

export async function action({ request, context }: Route.ActionArgs) {
  return changeRules(context, request)
}

type RuleRow = Route.ComponentProps['loaderData']['rules'][number]

/** The rules of the account, and a form to add one. */
export default function AlertRules({ loaderData, actionData: result }: Route.ComponentProps) {
  const { rules, limit, scopes, item } = loaderData
  const kinds = item?.kind === 'minifig' ? MINIFIG_RULE_KINDS : RULE_KINDS
  return (
    <Page
      title="Alert rules"
      description="A rule alerts you once when it’s met, and again only after prices have moved away and come back."
      actions={<AlertTabs selected="rules" />}
    >
      <title>Alert rules · Brickmark</title>
      <Card title="New rule">
        <div className="max-w-sm">
          <Form
            // Reset the form after a rule was added.
            key={limit.rules}
            submitLabel="Create rule"
            error={result && 'actionError' in result ? result.actionError : undefined}
          >
            <SelectField label="Applies to" name="scope" options={scopes} />
            <SelectField label="Alert when" name="kind" options={kinds.map((kind) => [kind, RULE_LABELS[kind]])} />
            <TextField
              label="Price or percentage"
              name="threshold"
              inputMode="decimal"
              hint="For the rules with “…”: a price in dollars, or a percentage."
            />
          </Form>
        </div>
      </Card>
      {rules.length === 0 ? (
        <EmptyState title="No rules yet">
          Create one above, or open any set and choose Alert. Prices are those of retailers that have the set in stock.
        </EmptyState>
      ) : (
        <Card title={describeLimit(limit)}>
          <Table
            caption="Rules"
            rows={rules}
            rowKey={(rule) => rule.id}
            columns={[
              { key: 'item', title: 'Applies to', cell: (rule) => <Scope rule={rule} /> },
              {
                key: 'condition',
                title: 'Alert when',
                cell: (rule) => (rule.isTarget ? `${rule.condition}, your target` : rule.condition),
              },
              {
                key: 'state',
                title: 'Status',
                cell: (rule) => (
                  <Badge tone={rule.isPaused ? 'plain' : 'gain'}>{rule.isPaused ? 'Paused' : 'Active'}</Badge>
                ),
              },
              { key: 'actions', title: 'Actions', right: true, cell: (rule) => <Actions rule={rule} /> },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}

function describeLimit({ rules, targets, max }: { rules: number; targets: number; max: number }): string {
  const used = `Your rules (${rules} of ${max.toLocaleString('en-US')}`
  return targets === 0 ? `${used})` : `${used}, and ${targets.toLocaleString('en-US')} from your watchlist)`
}

function Scope({ rule: { scope, title } }: { rule: RuleRow }) {
  if (scope.kind === 'watchlist') return <Link to="/watchlist">Your watchlist</Link>
  if (scope.kind === 'collection') return <Link to={`/collections/${scope.id}`}>{title}</Link>
  return <Link to={`/${scope.kind}/${encodeURIComponent(scope.number)}`}>{title}</Link>
}

function Actions({ rule: { id, isPaused, isTarget, condition, title } }: { rule: RuleRow }) {
  const about = `${condition}, ${title ?? 'your watchlist'}`
  return (
    <RouterForm method="post" preventScrollReset className="inline-flex flex-wrap gap-2 sm:justify-end">
      <input type="hidden" name="rule" value={id} />
      <Button
        name="intent"
        value={isPaused ? 'resume' : 'pause'}
        aria-label={`${isPaused ? 'Resume' : 'Pause'} ${about}`}
      >
        {isPaused ? 'Resume' : 'Pause'}
      </Button>
      {isTarget ? (
        <ButtonLink to="/watchlist" aria-label={`Change the target of ${title}`}>
          Change
        </ButtonLink>
      ) : (
        <Button name="intent" value="delete" aria-label={`Delete ${about}`}>
          Delete
        </Button>
      )}
    </RouterForm>
  )
}

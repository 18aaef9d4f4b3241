import { Form, Link, redirect, useNavigation } from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { findCollections } from '@brickmark/core/portfolio/collection-queries'
import { findDraftRows, findImportByFingerprint } from '@brickmark/core/portfolio/lot-import-queries'
import { commitImport, updateImportDraft } from '@brickmark/core/portfolio/lot-import-commands'
import { formatTitle } from '@brickmark/core/portfolio/lot-import/format'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { Card, Stat } from '../ui/card.tsx'
import { ColumnMappingFields, ImportQuestions, SetChoices } from './import-questions.tsx'
import { formatDate } from '../ui/format-date.ts'
import { Money, NotAvailable } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { Table } from '../ui/table.tsx'
import { Timestamp } from '../ui/timestamp.tsx'
import { actionError } from '../request/action-result.server.ts'
import { today } from '../request/today.server.ts'
import { parseId, parseOffset } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import {
  importDonePath,
  importErrorResult,
  lotsToImport,
  newCollectionName,
  parseImportOptions,
  replanDraft,
  requireDraft,
  targetCollection,
} from './import.server.ts'
import type { Route } from './+types/import-review.ts'

const LIMIT = 50
const STATES = ['ready', 'choice', 'skipped'] as const

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { accountId } = requireUser(context)
  const search = new URL(request.url).searchParams
  const state = STATES.find((known) => known === search.get('show'))
  const offset = parseOffset(search.get('offset'))
  return readAs(getServices(context).db, accountId, async (tx) => {
    const draft = await requireDraft(tx, accountId, parseId(params.id))
    const previousImport = await findImportByFingerprint(tx, accountId, draft.fingerprint)
    const collections = await findCollections(tx, accountId)
    const { plan, options } = draft
    const existing = collections.map((collection): [string, string] => [String(collection.id), collection.name])
    const targets: [string, string][] = [...existing, ['new', `New collection: ${newCollectionName(draft.fileName)}`]]
    if (plan.mapping.collection !== undefined) targets.unshift(['file', 'Use the collection column'])
    const { ready, choice, skipped } = plan.counts
    return {
      id: draft.id,
      fileName: draft.fileName,
      format: plan.format === 'other' ? undefined : formatTitle(plan.format),
      previousImport: previousImport && {
        at: previousImport.imported_at?.toISOString() ?? '',
        lots: previousImport.lots ?? 0,
      },
      plan,
      answers: options,
      targets,
      target: targetCollection(options, plan, collections),
      rows: await findDraftRows(tx, accountId, draft.id, { state, limit: LIMIT, offset }),
      shown: state,
      total: state === undefined ? ready + choice + skipped : plan.counts[state],
      offset,
      today: today(),
    }
  })
}

/** Plans the draft with the options of the form. With intent `import`, also adds the lots, unless questions are open. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const id = parseId(params.id)
  const form = await request.formData()
  try {
    const error = await submitDraft(context, id, form)
    if (error !== undefined) return actionError(error)
  } catch (error) {
    return importErrorResult(error)
  }
  return redirect(form.get('intent') === 'import' ? importDonePath(id) : `/import/${id}`)
}

/** Returns why the draft was not imported; undefined if it was, or if only its preview was asked for. */
async function submitDraft(context: Route.ActionArgs['context'], id: number, form: FormData) {
  const { accountId } = requireUser(context)
  const options = parseImportOptions(form)
  const planned = await replanDraft(context, id, options)
  return writeAs(getServices(context).db, accountId, async (tx) => {
    // Waits for a concurrent submit, after which the draft is already imported.
    if (!(await updateImportDraft(tx, accountId, id, options, planned))) throw redirect(importDonePath(id))
    const draft = await requireDraft(tx, accountId, id)
    const lots = await lotsToImport(tx, accountId, draft, planned)
    if (form.get('intent') !== 'import') return undefined
    if (planned.plan.openQuestions.length > 0) return planned.plan.openQuestions.join(' ')
    if (lots.length === 0) return 'None of the rows can be imported.'
    const exceeded = await describeExceededLimit(tx, accountId, 'lots', lots.length)
    if (exceeded !== undefined) return exceeded
    if ((await findImportByFingerprint(tx, accountId, draft.fingerprint)) && form.get('again') !== 'yes') {
      return 'You’ve already imported this file. Check the box to import it again.'
    }
    const { format, counts } = planned.plan
    const skipped = { rows: counts.choice + counts.skipped, csv: planned.skippedCsv }
    await commitImport(tx, accountId, id, { format: formatTitle(format), lots, skipped })
    return undefined
  })
}

/** Options are saved even if the import is rejected, so always reload the page to show their errors. */
export const shouldRevalidate = () => true

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function ImportReview({ loaderData: draft, actionData: result }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting'
  const { counts, choices, questions, header, sample, mapping, openQuestions } = draft.plan
  const here = `/import/${draft.id}`
  return (
    <Page
      title="Review import"
      description={`${draft.fileName} · ${draft.format ?? 'Custom format'} · Nothing has been imported yet.`}
      actions={<ButtonLink to="/import">Choose another file</ButtonLink>}
    >
      <title>Review import · Brickmark</title>
      {draft.previousImport && (
        <Notice tone="warn" title="You’ve already imported this file">
          On <Timestamp iso={draft.previousImport.at} />, you imported{' '}
          {draft.previousImport.lots.toLocaleString('en-US')} {draft.previousImport.lots === 1 ? 'lot' : 'lots'} from
          it. Importing it again will add duplicates.
        </Notice>
      )}
      {result?.actionError !== undefined && <Notice tone="loss">{result.actionError}</Notice>}
      {questions && (
        <div className="grid gap-3 sm:grid-cols-3">
          <Stat label="Ready">{counts.ready.toLocaleString('en-US')}</Stat>
          <Stat label="Needs input">{counts.choice.toLocaleString('en-US')}</Stat>
          <Stat label="Skipped" detail={counts.skipped > 0 && 'You can download these with reasons after the import.'}>
            {counts.skipped.toLocaleString('en-US')}
          </Stat>
        </div>
      )}
      <Form method="post" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {draft.format === undefined && <ColumnMappingFields header={header} sample={sample} mapping={mapping} />}
        {questions && (
          <ImportQuestions
            questions={questions}
            importOptions={draft.answers}
            targets={draft.targets}
            target={draft.target}
            today={draft.today}
          />
        )}
        {choices.length > 0 && <SetChoices choices={choices} importOptions={draft.answers} />}
        {draft.previousImport && (
          <label className="flex items-center gap-2">
            <input type="checkbox" name="again" value="yes" className="size-4 accent-accent" />
            Import this file again
          </label>
        )}
        <div className="flex flex-wrap gap-2">
          <Button name="intent" value="preview" formNoValidate disabled={busy}>
            Update preview
          </Button>
          {questions && (
            <Button variant="main" name="intent" value="import" disabled={busy}>
              Import
            </Button>
          )}
        </div>
        {openQuestions.length > 0 && (
          <ul className="list-disc pl-5 text-ink-soft">
            {openQuestions.map((question) => (
              <li key={question}>{question}</li>
            ))}
          </ul>
        )}
      </Form>
      {questions && (
        <Card
          title="Rows"
          actions={
            <nav aria-label="Rows" className="flex flex-wrap gap-3 text-sm">
              {([['All', here], ...STATES.map((state) => [STATE_LABELS[state], `${here}?show=${state}`])] as const).map(
                ([label, to]) => (
                  <Link key={label} to={to} preventScrollReset>
                    {label}
                  </Link>
                ),
              )}
            </nav>
          }
        >
          <Table
            caption="File rows"
            rows={draft.rows}
            rowKey={(row) => row.row}
            columns={[
              { key: 'row', title: 'Row', cell: ({ row }) => row },
              {
                key: 'state',
                title: 'Status',
                cell: ({ state }) => (
                  <Badge tone={state === 'ready' ? 'gain' : state === 'choice' ? 'warn' : 'loss'}>
                    {STATE_LABELS[state]}
                  </Badge>
                ),
              },
              {
                key: 'set',
                title: 'Set',
                cell: ({ lot, reason, excerpt }) =>
                  lot ? (
                    `${lot.setNumber} ${lot.title}`
                  ) : (
                    <span>
                      <span className="block">{reason}</span>
                      <span className="block text-ink-soft wrap-anywhere">{excerpt}</span>
                    </span>
                  ),
              },
              { key: 'units', title: 'Qty', right: true, cell: ({ lot }) => lot?.quantity ?? '' },
              { key: 'condition', title: 'Condition', cell: ({ lot }) => lot?.condition && capitalize(lot.condition) },
              {
                key: 'paid',
                title: 'Purchase price',
                right: true,
                cell: ({ lot }) => lot && <Money cents={lot.price} />,
              },
              {
                key: 'date',
                title: 'Purchased',
                cell: ({ lot }) => lot && (lot.date === null ? <NotAvailable /> : formatDate(lot.date)),
              },
            ]}
          />
          <Pager
            offset={draft.offset}
            limit={LIMIT}
            total={draft.total}
            to={(offset) => `${here}?${draft.shown ? `show=${draft.shown}&` : ''}offset=${offset}`}
          />
        </Card>
      )}
    </Page>
  )
}

const STATE_LABELS = { ready: 'Ready', choice: 'Needs input', skipped: 'Skipped' } as const

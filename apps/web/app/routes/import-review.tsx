import {
  Form,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findImportByFingerprint } from '@brickmark/core/portfolio/lot-import-queries'
import { commitImport, saveImportOptions } from '@brickmark/core/portfolio/lot-import-commands'
import { formatTitle } from '@brickmark/core/portfolio/lot-import/format'
import { Badge } from '../components/badge.tsx'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card, Stat } from '../components/card.tsx'
import { ColumnMappingFields, ImportQuestions, SetChoices } from '../components/import-questions.tsx'
import { Money } from '../components/money.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Table } from '../components/table.tsx'
import { actionError } from '../server/call-auth.ts'
import { today } from '../server/edit-lots.ts'
import { parseId } from '../server/collection.ts'
import { getServices, requireUser } from '../server/context.ts'
import {
  parseImportOptions,
  importDonePath,
  findDraft,
  skippedRows,
  lotsToImport,
  newCollectionName,
  targetCollection,
} from '../server/import.ts'

const LIMIT = 50
const STATES = ['ready', 'choice', 'left-out'] as const

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { accountId } = requireUser(context)
  const search = new URL(request.url).searchParams
  return readAs(getServices(context).db, accountId, async (tx) => {
    const draft = await findDraft(tx, accountId, parseId(params['id']))
    const previousImport = await findImportByFingerprint(tx, accountId, draft.fingerprint)
    const { plan, table, format, mapping, answers, collections } = draft
    const visibleState = STATES.find((state) => state === search.get('show'))
    const rows = (plan?.rows ?? []).filter((row) => visibleState === undefined || row.state === visibleState)
    const offset = Math.max(0, Math.trunc(Number(search.get('offset'))) || 0)
    const counts = STATES.map((state) => plan?.rows.filter((row) => row.state === state).length ?? 0)
    const existing = collections.map((collection): [string, string] => [String(collection.id), collection.name])
    const targets: [string, string][] = [...existing, ['new', `A new one: ${newCollectionName(draft.fileName)}`]]
    if (mapping.collection !== undefined) targets.unshift(['file', 'As the file says'])
    return {
      id: draft.id,
      fileName: draft.fileName,
      format: format === 'other' ? undefined : formatTitle(format),
      previousImport: previousImport && {
        at: previousImport.imported_at?.toISOString().slice(0, 10) ?? '',
        lots: previousImport.lots ?? 0,
      },
      header: table.header,
      sample: table.rows[0]?.cells ?? [],
      mapping,
      answers,
      open: draft.openQuestions,
      questions: plan && {
        ambiguousDate: plan.ambiguousDate,
        pricesWithoutCurrency: plan.pricesWithoutCurrency,
        currencies: plan.currencies,
        missing: plan.missing,
        invalidDefaults: plan.invalidDefaults,
      },
      choices: plan?.choices ?? [],
      targets,
      target: targetCollection(draft),
      rows: rows.slice(offset, offset + LIMIT).map((row) => ({
        row: row.row,
        state: row.state,
        reason: row.state === 'ready' ? undefined : row.reason,
        lot: row.state === 'ready' ? row.lot : undefined,
        rawText: row.cells
          .filter((cell) => cell.trim() !== '')
          .join(', ')
          .slice(0, 120),
      })),
      shown: visibleState,
      total: rows.length,
      offset,
      counts: { ready: counts[0] ?? 0, choice: counts[1] ?? 0, 'left-out': counts[2] ?? 0 },
      today: today(),
    }
  })
}

/** Saves the options. With intent `import`, also adds the lots, unless questions are still open. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { accountId } = requireUser(context)
  const id = parseId(params['id'])
  const form = await request.formData()
  const outcome = await writeAs(getServices(context).db, accountId, async (tx) => {
    // Must come first: it waits for a concurrent submit, after which the draft is already marked as imported.
    await saveImportOptions(tx, accountId, id, parseImportOptions(form))
    const draft = await findDraft(tx, accountId, id)
    const lots = await lotsToImport(tx, accountId, draft)
    if (form.get('intent') !== 'import') return { to: `/import/${id}` }
    if (draft.openQuestions.length > 0) return { error: draft.openQuestions.join(' ') }
    if (lots.length === 0) return { error: 'No row of it can be imported.' }
    if ((await findImportByFingerprint(tx, accountId, draft.fingerprint)) && form.get('again') !== 'yes') {
      return { error: 'You have imported this file before. Tick the box to add it again.' }
    }
    await commitImport(tx, accountId, id, { format: formatTitle(draft.format), lots, skipped: skippedRows(draft) })
    return { to: importDonePath(id) }
  })
  return outcome.error === undefined ? redirect(outcome.to) : actionError(outcome.error)
}

/** Options are saved even if the import is rejected, so always reload the page to show their errors. */
export const shouldRevalidate = () => true

export default function ImportReview() {
  const draft = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const busy = useNavigation().state === 'submitting'
  const { counts, choices, questions } = draft
  const here = `/import/${draft.id}`
  return (
    <Page
      title="What it would add"
      description={`${draft.fileName}, read as ${draft.format ?? 'a table of your own'}. Nothing is added yet.`}
      actions={<ButtonLink to="/import">Another file</ButtonLink>}
    >
      <title>Import preview · Brickmark</title>
      {draft.previousImport && (
        <Notice tone="warn" title="You have imported this file before">
          On {draft.previousImport.at}, {draft.previousImport.lots.toLocaleString('en-US')} lots. Importing it again
          adds them a second time.
        </Notice>
      )}
      {result?.actionError !== undefined && <Notice tone="loss">{result.actionError}</Notice>}
      {questions && (
        <div className="grid gap-3 sm:grid-cols-3">
          <Stat label="Ready">{counts.ready.toLocaleString('en-US')}</Stat>
          <Stat label="Need an answer">{counts.choice.toLocaleString('en-US')}</Stat>
          <Stat
            label="Left out"
            detail={counts['left-out'] > 0 && 'You can download them with the reasons afterwards.'}
          >
            {counts['left-out'].toLocaleString('en-US')}
          </Stat>
        </div>
      )}
      <Form method="post" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {draft.format === undefined && (
          <ColumnMappingFields header={draft.header} sample={draft.sample} mapping={draft.mapping} />
        )}
        {questions && (
          <ImportQuestions
            questions={questions}
            answers={draft.answers}
            targets={draft.targets}
            target={draft.target}
            today={draft.today}
          />
        )}
        {choices.length > 0 && <SetChoices choices={choices} answers={draft.answers} />}
        {draft.previousImport && (
          <label className="flex items-center gap-2">
            <input type="checkbox" name="again" value="yes" className="size-4 accent-accent" />
            Yes, add this file again
          </label>
        )}
        <div className="flex flex-wrap gap-2">
          <Button name="intent" value="preview" formNoValidate disabled={busy}>
            Update the preview
          </Button>
          {questions && (
            <Button variant="main" name="intent" value="import" disabled={busy}>
              Import
            </Button>
          )}
        </div>
        {draft.open.length > 0 && (
          <ul className="list-disc pl-5 text-ink-soft">
            {draft.open.map((question) => (
              <li key={question}>{question}</li>
            ))}
          </ul>
        )}
      </Form>
      {questions && (
        <Card
          title="Row by row"
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
            caption="Rows of the file"
            rows={draft.rows}
            rowKey={(row) => row.row}
            columns={[
              { key: 'row', title: 'Row', cell: ({ row }) => row },
              {
                key: 'state',
                title: 'State',
                cell: ({ state }) => (
                  <Badge tone={state === 'ready' ? 'gain' : state === 'choice' ? 'warn' : 'loss'}>
                    {STATE_LABELS[state]}
                  </Badge>
                ),
              },
              {
                key: 'set',
                title: 'Set',
                cell: ({ lot, reason, rawText }) =>
                  lot ? (
                    `${lot.setNumber} ${lot.title}`
                  ) : (
                    <span>
                      <span className="block first-letter:uppercase">{reason}</span>
                      <span className="block text-ink-soft wrap-anywhere">{rawText}</span>
                    </span>
                  ),
              },
              { key: 'units', title: 'Units', right: true, cell: ({ lot }) => lot?.quantity ?? '' },
              { key: 'condition', title: 'Condition', cell: ({ lot }) => lot?.condition ?? '' },
              { key: 'paid', title: 'Paid each', right: true, cell: ({ lot }) => lot && <Money cents={lot.price} /> },
              { key: 'date', title: 'Bought', cell: ({ lot }) => lot?.date ?? '' },
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

const STATE_LABELS = { ready: 'Ready', choice: 'Needs an answer', 'left-out': 'Left out' } as const

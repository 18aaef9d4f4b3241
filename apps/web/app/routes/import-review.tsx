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
import { findSameImport } from '@brickmark/core/portfolio/lot-import-queries'
import { finishImport, saveAnswers } from '@brickmark/core/portfolio/lot-import-commands'
import { titleOf } from '@brickmark/core/portfolio/lot-import/format'
import { Badge } from '../components/badge.tsx'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card, Figure } from '../components/card.tsx'
import { ColumnMapping, ImportQuestions, SetChoices } from '../components/import-questions.tsx'
import { Money } from '../components/money.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Table } from '../components/table.tsx'
import { problem } from '../server/call-auth.ts'
import { today } from '../server/edit-lots.ts'
import { idIn } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { answersOf, doneAt, findDraft, leftOutOf, lotsToImport, newCollectionName, targetOf } from '../server/import.ts'

const LIMIT = 50
const STATES = ['ready', 'choice', 'left-out'] as const

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { accountId } = signedIn(context)
  const search = new URL(request.url).searchParams
  return readAs(servicesOf(context).db, accountId, async (as) => {
    const draft = await findDraft(as, accountId, idIn(params['id']))
    const same = await findSameImport(as, accountId, draft.fingerprint)
    const { plan, table, format, mapping, answers, collections } = draft
    const shown = STATES.find((state) => state === search.get('show'))
    const rows = (plan?.rows ?? []).filter((row) => shown === undefined || row.state === shown)
    const offset = Math.max(0, Math.trunc(Number(search.get('offset'))) || 0)
    const counts = STATES.map((state) => plan?.rows.filter((row) => row.state === state).length ?? 0)
    const existing = collections.map((one): [string, string] => [String(one.id), one.name])
    const targets: [string, string][] = [...existing, ['new', `A new one: ${newCollectionName(draft.fileName)}`]]
    if (mapping.collection !== undefined) targets.unshift(['file', 'As the file says'])
    return {
      id: draft.id,
      fileName: draft.fileName,
      format: format === 'other' ? undefined : titleOf(format),
      same: same && { at: same.imported_at?.toISOString().slice(0, 10) ?? '', lots: same.lots ?? 0 },
      header: table.header,
      sample: table.rows[0]?.cells ?? [],
      mapping,
      answers,
      open: draft.open,
      questions: plan && {
        unsureDate: plan.unsureDate,
        unsignedPrices: plan.unsignedPrices,
        currencies: plan.currencies,
        without: plan.without,
        wrong: plan.wrong,
      },
      choices: plan?.choices ?? [],
      targets,
      target: targetOf(draft),
      rows: rows.slice(offset, offset + LIMIT).map((row) => ({
        row: row.row,
        state: row.state,
        reason: row.state === 'ready' ? undefined : row.reason,
        lot: row.state === 'ready' ? row.lot : undefined,
        says: row.cells
          .filter((cell) => cell.trim() !== '')
          .join(', ')
          .slice(0, 120),
      })),
      shown,
      total: rows.length,
      offset,
      counts: { ready: counts[0] ?? 0, choice: counts[1] ?? 0, 'left-out': counts[2] ?? 0 },
      today: today(),
    }
  })
}

/** Keeps the answers; and with the button "Import", when nothing is open any more, adds the lots. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { accountId } = signedIn(context)
  const id = idIn(params['id'])
  const form = await request.formData()
  const outcome = await writeAs(servicesOf(context).db, accountId, async (as) => {
    // First, because it waits for another click that is being served, and the draft is then seen to be imported.
    await saveAnswers(as, accountId, id, answersOf(form))
    const draft = await findDraft(as, accountId, id)
    const lots = await lotsToImport(as, accountId, draft)
    if (form.get('intent') !== 'import') return { to: `/import/${id}` }
    if (draft.open.length > 0) return { refused: draft.open.join(' ') }
    if (lots.length === 0) return { refused: 'No row of it can be imported.' }
    if ((await findSameImport(as, accountId, draft.fingerprint)) && form.get('again') !== 'yes') {
      return { refused: 'You have imported this file before. Tick the box to add it again.' }
    }
    await finishImport(as, accountId, id, { format: titleOf(draft.format), lots, leftOut: leftOutOf(draft) })
    return { to: doneAt(id) }
  })
  return outcome.refused === undefined ? redirect(outcome.to) : problem(outcome.refused)
}

/** Answers are kept also when the import is refused, so the page is read anew: it says what is wrong with them. */
export const shouldRevalidate = () => true

export default function ImportDraft() {
  const draft = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  const busy = useNavigation().state === 'submitting'
  const { counts, choices, questions } = draft
  const here = `/import/${draft.id}`
  return (
    <Page
      title="What it would add"
      lead={`${draft.fileName}, read as ${draft.format ?? 'a table of your own'}. Nothing is added yet.`}
      actions={<ButtonLink to="/import">Another file</ButtonLink>}
    >
      <title>Import preview · Brickmark</title>
      {draft.same && (
        <Notice tone="warn" title="You have imported this file before">
          On {draft.same.at}, {draft.same.lots.toLocaleString('en-US')} lots. Importing it again adds them a second
          time.
        </Notice>
      )}
      {result?.problem !== undefined && <Notice tone="loss">{result.problem}</Notice>}
      {questions && (
        <div className="grid gap-3 sm:grid-cols-3">
          <Figure label="Ready">{counts.ready.toLocaleString('en-US')}</Figure>
          <Figure label="Need an answer">{counts.choice.toLocaleString('en-US')}</Figure>
          <Figure
            label="Left out"
            hint={counts['left-out'] > 0 && 'You can download them with the reasons afterwards.'}
          >
            {counts['left-out'].toLocaleString('en-US')}
          </Figure>
        </div>
      )}
      <Form method="post" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {draft.format === undefined && (
          <ColumnMapping header={draft.header} sample={draft.sample} mapping={draft.mapping} />
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
        {draft.same && (
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
            <Button look="main" name="intent" value="import" disabled={busy}>
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
              {([['All', here], ...STATES.map((state) => [WORDS[state], `${here}?show=${state}`])] as const).map(
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
                  <Badge tone={state === 'ready' ? 'gain' : state === 'choice' ? 'warn' : 'loss'}>{WORDS[state]}</Badge>
                ),
              },
              {
                key: 'set',
                title: 'Set',
                cell: ({ lot, reason, says }) =>
                  lot ? (
                    `${lot.setNumber} ${lot.title}`
                  ) : (
                    <span>
                      <span className="block first-letter:uppercase">{reason}</span>
                      <span className="block text-ink-soft wrap-anywhere">{says}</span>
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

const WORDS = { ready: 'Ready', choice: 'Needs an answer', 'left-out': 'Left out' } as const

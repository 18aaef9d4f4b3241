import {
  Form,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { writeAs } from '@brickmark/core/db/database'
import { saveDraft } from '@brickmark/core/portfolio/lot-import-commands'
import { decodeFile, readTable } from '../../server/import/parse-file.ts'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { UploadFields } from '../components/upload-fields.tsx'
import { problem } from '../server/call-auth.ts'
import { plainText } from '../server/collection.ts'
import { servicesOf, signedIn } from '../server/context.ts'
import { fingerprintOf } from '../server/import.ts'

export function loader({ request }: LoaderFunctionArgs) {
  return { into: new URL(request.url).searchParams.get('into') ?? '' }
}

/** Takes a file or a pasted text, and keeps it as a draft whose questions are asked on its own page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { accountId } = signedIn(context)
  const form = await request.formData()
  const file = form.get('file')
  const chosen = file instanceof File && file.size > 0 ? file : undefined
  const pasted = form.get('text')
  const content = chosen
    ? decodeFile(new Uint8Array(await chosen.arrayBuffer()))
    : decodeFile(new TextEncoder().encode(typeof pasted === 'string' ? pasted : ''))
  if (content === undefined) return problem('That is not a text file. Save it as CSV and try again.')
  if (content.trim() === '') return problem('Choose a file, or paste its text.')
  const table = readTable(content)
  if (typeof table === 'string') return problem(table)
  const into = plainText(form.get('into'))
  const draft = {
    fileName: plainText(chosen?.name ?? '').slice(0, 200) || 'Pasted list',
    fingerprint: fingerprintOf(content),
    content,
    answers: /^\d{1,15}$/.test(into) ? { target: into } : {},
  }
  const id = await writeAs(servicesOf(context).db, accountId, (as) => saveDraft(as, accountId, draft))
  return redirect(`/import/${id}`)
}

export default function Import() {
  const { into } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Page
      title="Import"
      lead="Nothing is added before you have seen what will be, and every import can be undone for 30 days."
      actions={<ButtonLink to="/imports">Earlier imports</ButtonLink>}
    >
      <title>Import · Brickmark</title>
      {result?.problem !== undefined && <Notice tone="loss">{result.problem}</Notice>}
      <Card>
        <Form method="post" encType="multipart/form-data" className="grid gap-4">
          <input type="hidden" name="into" value={into} />
          <UploadFields label="Drop a file here, or choose one" accept=".csv,.tsv,.txt,.xml,text/csv,text/xml" />
          <div>
            <Button look="main">Show what it would add</Button>
          </div>
        </Form>
      </Card>
      <Card title="What we read">
        <ul className="list-disc space-y-1 pl-5">
          <li>Rebrickable: a set list as CSV</li>
          <li>Brickset: your owned sets as CSV</li>
          <li>BrickEconomy: your collection as CSV</li>
          <li>BrickLink: an inventory as XML; parts and minifigs in it are left out</li>
          <li>
            Brickmark: what <Link to="/collections">Export</Link> gives
          </li>
          <li>Any other table with a header, as CSV or pasted from a spreadsheet: you say which column is what</li>
        </ul>
      </Card>
    </Page>
  )
}

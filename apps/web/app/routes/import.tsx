import {
  Form,
  Link,
  redirect,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { Button, ButtonLink } from '../components/button.tsx'
import { Card } from '../components/card.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { UploadFields } from '../components/upload-fields.tsx'
import { createDraft, importErrorResult } from '../server/import.ts'

export function loader({ request }: LoaderFunctionArgs) {
  return { targetCollection: new URL(request.url).searchParams.get('into') ?? '' }
}

/** Stores an uploaded file or pasted text as a draft and redirects to its preview. */
export async function action({ request, context }: ActionFunctionArgs) {
  try {
    const id = await createDraft(context, await request.formData())
    return redirect(`/import/${id}`)
  } catch (error) {
    return importErrorResult(error)
  }
}

export { actionHeaders as headers } from '../server/call-auth.ts'

export default function Import() {
  const { targetCollection } = useLoaderData<typeof loader>()
  const result = useActionData<typeof action>()
  return (
    <Page
      title="Import"
      description="Nothing is added before you have seen what will be, and every import can be undone for 30 days."
      actions={<ButtonLink to="/imports">Earlier imports</ButtonLink>}
    >
      <title>Import · Brickmark</title>
      {result?.actionError !== undefined && <Notice tone="loss">{result.actionError}</Notice>}
      <Card>
        <Form method="post" encType="multipart/form-data" className="grid gap-4">
          <input type="hidden" name="into" value={targetCollection} />
          <UploadFields label="Drop a file here, or choose one" accept=".csv,.tsv,.txt,.xml,text/csv,text/xml" />
          <div>
            <Button variant="main">Show what it would add</Button>
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

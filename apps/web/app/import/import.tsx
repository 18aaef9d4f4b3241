import { Form, Link, redirect } from 'react-router'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { UploadFields } from '../ui/upload-fields.tsx'
import { createDraft, importErrorResult } from './import.server.ts'
import type { Route } from './+types/import.ts'

export function loader({ request }: Route.LoaderArgs) {
  return { targetCollection: new URL(request.url).searchParams.get('into') ?? '' }
}

/** Stores an uploaded file or pasted text as a draft and redirects to its preview. */
export async function action({ request, context }: Route.ActionArgs) {
  try {
    const id = await createDraft(context, await request.formData())
    return redirect(`/import/${id}`)
  } catch (error) {
    return importErrorResult(error)
  }
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function Import({ loaderData, actionData: result }: Route.ComponentProps) {
  const { targetCollection } = loaderData
  return (
    <Page
      title="Import"
      description="Review everything before it’s imported. You can undo an import for 30 days."
      actions={<ButtonLink to="/imports">Import history</ButtonLink>}
    >
      <title>Import · Brickmark</title>
      {result?.actionError !== undefined && <Notice tone="loss">{result.actionError}</Notice>}
      <Card>
        <Form method="post" encType="multipart/form-data" className="grid gap-4">
          <input type="hidden" name="into" value={targetCollection} />
          <UploadFields label="Drop a file here or browse" accept=".csv,.tsv,.txt,.xml,text/csv,text/xml" />
          <div>
            <Button variant="main">Continue</Button>
          </div>
        </Form>
      </Card>
      <Card title="Supported formats">
        <ul className="list-disc space-y-1 pl-5">
          <li>Rebrickable set list (CSV)</li>
          <li>Brickset owned sets (CSV)</li>
          <li>BrickEconomy collection (CSV)</li>
          <li>BrickLink inventory (XML). Parts and minifigs are skipped.</li>
          <li>
            Brickmark <Link to="/collections">export</Link> (CSV)
          </li>
          <li>Any other CSV or pasted spreadsheet. You’ll map the columns.</li>
        </ul>
      </Card>
    </Page>
  )
}

import { data, Form, redirect, useNavigation } from 'react-router'
import { saleResult } from '@brickmark/core/portfolio/sale'
import { ButtonLink, Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { UploadFields } from '../ui/upload-fields.tsx'
import { SaleImportPreview, type SaleImportRow } from './sale-import-preview.tsx'
import { importErrorResult } from '../import/import.server.ts'
import { importReadySales, previewSales, readReport, parseSaleImportOptions } from './sale-import.server.ts'
import type { Route } from './+types/sales-import.ts'

/** Shows a preview of the report. The preview form resubmits it with options; intent `import` records the sales. */
export async function action({ request, context }: Route.ActionArgs) {
  try {
    return await handleReport(context, await request.formData())
  } catch (error) {
    return importErrorResult(error)
  }
}

async function handleReport(context: Route.ActionArgs['context'], form: FormData) {
  const report = await readReport(context, form)
  const options = parseSaleImportOptions(form)
  if (form.get('intent') === 'import') {
    const added = await importReadySales(context, report.lines, options)
    if (added > 0) return redirect(`/sales?imported=${added}`)
  }
  const rows = await previewSales(context, report.lines, options)
  const actionError = form.get('intent') === 'import' ? 'None of the rows can be imported.' : undefined
  const preview = {
    content: report.content,
    from: options.from,
    rows: rows.map((row): SaleImportRow => ({
      row: row.row,
      order: row.order,
      title: row.title,
      enteredSetNumber: options.sets.get(row.row) ?? '',
      state: row.state,
      reason: row.state === 'ready' ? undefined : row.reason,
      sale:
        row.state === 'ready'
          ? {
              set: `${row.sale.item} ${row.sale.setTitle}`,
              date: row.sale.date,
              quantity: row.sale.quantity,
              gross: row.sale.gross,
              fees: row.sale.platformFees,
              shipping: row.sale.shipping,
              ...saleResult(row.sale),
              unknownCost: row.sale.unknownCost,
            }
          : undefined,
    })),
  }
  return data({ actionError, preview }, actionError === undefined ? 200 : 400)
}

export { actionHeaders as headers } from '../request/action-result.server.ts'

export default function SalesImport({ actionData: result }: Route.ComponentProps) {
  const busy = useNavigation().state === 'submitting'
  return (
    <Page
      title="Import sales from eBay"
      description="Upload your eBay order earnings report (CSV). You’ll review everything first, and we skip orders you’ve already imported."
      actions={<ButtonLink to="/sales">All sales</ButtonLink>}
    >
      <title>Import sales · Brickmark</title>
      {result?.actionError !== undefined && <Notice tone="loss">{result.actionError}</Notice>}
      {result && 'preview' in result ? (
        <SaleImportPreview {...result.preview} busy={busy} />
      ) : (
        <Card>
          <Form method="post" encType="multipart/form-data" className="grid gap-4">
            <UploadFields label="Drop your report here or browse" accept=".csv,.txt,text/csv" />
            <p className="text-sm text-ink-soft">We never store buyer names or addresses.</p>
            <div>
              <Button variant="main" disabled={busy}>
                Continue
              </Button>
            </div>
          </Form>
        </Card>
      )}
    </Page>
  )
}

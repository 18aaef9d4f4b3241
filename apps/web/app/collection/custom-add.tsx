import { Link } from 'react-router'
import { MAX_ITEM_NAME } from '@brickmark/core/portfolio/lot'
import { AddTabs } from './add-tabs.tsx'
import { Card } from '../ui/card.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Form, SubmissionField } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { PurchaseFields } from './purchase-fields.tsx'
import { REVIEW_OPTIONS } from './lot-table.tsx'
import { loadAddForm, submitLot } from './add-lot.server.ts'
import type { Route } from './+types/custom-add.ts'

export function loader({ params, context }: Route.LoaderArgs) {
  return loadAddForm(context, params.id)
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return submitLot(context, params.id, await request.formData(), 'custom', () => Promise.resolve(undefined))
}

export default function CustomAdd({ loaderData, actionData: result }: Route.ComponentProps) {
  const { id, name, today, maxDate, submission } = loaderData
  return (
    <Page
      title="Add custom item"
      description={
        <>
          To <Link to={`/collections/${id}`}>{name}</Link>
        </>
      }
    >
      <title>Add custom item · Brickmark</title>
      <AddTabs collectionId={id} selected="custom" />
      <Card>
        <Form submitLabel="Add item" error={result?.actionError}>
          <SubmissionField token={submission} />
          <div className="grid items-start gap-4 sm:grid-cols-3">
            <TextField
              label="Name"
              name="name"
              required
              maxLength={MAX_ITEM_NAME}
              placeholder="e.g. Mixed bricks, 6 kg"
              autoComplete="off"
            />
            <TextField
              label="Your value (USD, each)"
              name="value"
              inputMode="decimal"
              hint="Leave blank if you don’t know."
            />
            <SelectField label="Ask me about the value" name="review" defaultValue="12" options={REVIEW_OPTIONS} />
            <PurchaseFields today={today} maxDate={maxDate} />
          </div>
        </Form>
        <p className="mt-4 text-sm text-ink-soft">
          It counts in your totals and is marked as your value everywhere, because we have no market price for it.
        </p>
      </Card>
    </Page>
  )
}

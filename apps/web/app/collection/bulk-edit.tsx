import { Form } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { CONDITIONS, SelectAllOnPage, STATUSES } from './lot-table.tsx'
import { Notice } from '../ui/notice.tsx'

/**
 * Form that changes or deletes the selected lots, or all that match the filter. Fields left at "No change" are not
 * changed. Stays in view as a bar while lots are selected.
 */
export function BulkEdit({
  id,
  total,
  collections,
  deletePath,
  filter,
  error,
}: {
  id: string
  total: number
  /** Collections that lots can be moved to. */
  collections: { id: number; name: string }[]
  deletePath: string
  /** Filter parameters from the URL, passed on to the delete confirmation. */
  filter: [name: string, value: string][]
  error: string | undefined
}) {
  const lots = total === 1 ? 'lot' : 'lots'
  const noChange: [string, string] = ['', 'No change']
  return (
    <div className="bulk-edit">
      <Card>
        <Form method="post" id={id} preventScrollReset className="grid gap-3">
          {error !== undefined && <Notice tone="loss">{error}</Notice>}
          <input type="hidden" name="intent" value="bulk" />
          {filter.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <div className="flex flex-wrap gap-x-6 gap-y-1">
            <SelectAllOnPage form={id} />
            <label className="flex items-center gap-2">
              <input type="checkbox" name="all" value="yes" className="size-4 accent-accent" />
              Select all {total.toLocaleString('en-US')} {filter.length > 0 ? `matching ${lots}` : lots}
            </label>
          </div>
          <details open={error !== undefined}>
            <summary className="w-fit cursor-pointer font-medium">Edit selected lots</summary>
            <div className="mt-3 grid grid-cols-2 gap-3 lg:grid-cols-4">
              <SelectField label="Condition" name="set-condition" options={[noChange, ...CONDITIONS]} />
              <SelectField label="Status" name="set-status" options={[noChange, ...STATUSES]} />
              <TextField label="Purchase price (each)" name="set-price" inputMode="decimal" placeholder="No change" />
              {collections.length > 0 && (
                <SelectField
                  label="Move to"
                  name="move-to"
                  options={[
                    noChange,
                    ...collections.map((collection): [string, string] => [String(collection.id), collection.name]),
                  ]}
                />
              )}
            </div>
            <div className="mt-3 flex flex-wrap gap-2">
              <Button>Apply changes</Button>
              <Button variant="danger" formMethod="get" formAction={deletePath}>
                Delete…
              </Button>
            </div>
          </details>
        </Form>
      </Card>
    </div>
  )
}

import { useEffect, useState } from 'react'
import { Form } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { CONDITIONS, SelectAllOnPage, STATUSES, type LotRow } from './lot-table.tsx'
import { Notice } from '../ui/notice.tsx'
import { SelectionBar, type Selection } from './selection-bar.tsx'

type BulkEditProps = {
  id: string
  /** The lots on the page. */
  rows: LotRow[]
  /** All lots that match the filter. */
  matching: { lots: number; units: number; value: number | null }
  /** Collections that lots can be moved to. */
  collections: { id: number; name: string }[]
  deletePath: string
  /** Filter parameters from the URL, passed on to the delete confirmation. */
  filter: [name: string, value: string][]
  error: string | undefined
}

/**
 * Form that changes, moves, sells or deletes the selected lots, or all that match the filter. Fields left at "No change" are not
 * changed. With JavaScript, a bar says what the selection comes to; without, the form is below the table.
 */
export function BulkEdit({ id, rows, matching, collections, deletePath, filter, error }: BulkEditProps) {
  const [hydrated, setHydrated] = useState(false)
  const [opened, setOpened] = useState<'edit' | 'move'>()
  const [selection, setSelection] = useSelection(id, rows, matching)
  useEffect(() => setHydrated(true), [])
  const total = matching.lots
  const lots = total === 1 ? 'lot' : 'lots'
  const clear = () => {
    const boxes = [...selectionBoxes(id)].filter(({ checked }) => checked)
    for (const box of boxes) box.checked = false
    boxes.at(-1)?.focus()
    setSelection(undefined)
    setOpened(undefined)
  }
  return (
    <>
      <Card>
        <div className="grid gap-3">
          {error !== undefined && <Notice tone="loss">{error}</Notice>}
          <div className="flex flex-wrap gap-x-6 gap-y-1">
            <SelectAllOnPage form={id} />
            <label className="flex min-h-6 items-center gap-2">
              <input type="checkbox" name="all" value="yes" form={id} className="size-4 accent-accent" />
              Select all {total.toLocaleString('en-US')} {filter.length > 0 ? `matching ${lots}` : lots}
            </label>
          </div>
          {!hydrated && (
            <details open={error !== undefined}>
              <summary className="w-fit cursor-pointer font-medium">Edit selected lots</summary>
              <div className="mt-3 grid grid-cols-2 gap-3 lg:grid-cols-4">
                <EditFields form={id} />
                {collections.length > 0 && <MoveField form={id} collections={collections} />}
              </div>
              <div className="mt-3 flex flex-wrap gap-2">
                <Button form={id}>Apply changes</Button>
                <Button form={id} variant="danger" formMethod="get" formAction={deletePath}>
                  Delete…
                </Button>
              </div>
            </details>
          )}
        </div>
      </Card>
      {/* Apart from the card, so that it sticks to the screen while the table is in view. */}
      <Form method="post" id={id} preventScrollReset className="sticky bottom-2 z-10 grid gap-2 max-lg:bottom-18">
        <input type="hidden" name="intent" value="bulk" />
        {filter.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {selection && opened !== undefined && (
          <div className="mx-auto grid w-full max-w-3xl grid-cols-2 items-end gap-3 rounded-card border border-line bg-raised p-4 shadow-floating sm:grid-cols-4">
            {opened === 'edit' ? <EditFields form={id} /> : <MoveField form={id} collections={collections} />}
            <Button variant="main">{opened === 'edit' ? 'Apply changes' : 'Move lots'}</Button>
          </div>
        )}
        {selection && (
          <SelectionBar
            selection={selection}
            canMove={collections.length > 0}
            opened={opened}
            onOpen={setOpened}
            onClear={clear}
            deletePath={deletePath}
          />
        )}
      </Form>
    </>
  )
}

const NO_CHANGE: [string, string] = ['', 'No change']

function EditFields({ form }: { form: string }) {
  return (
    <>
      <SelectField label="Condition" name="set-condition" form={form} options={[NO_CHANGE, ...CONDITIONS]} />
      <SelectField label="Status" name="set-status" form={form} options={[NO_CHANGE, ...STATUSES]} />
      <TextField
        label="Purchase price (each)"
        name="set-price"
        form={form}
        inputMode="decimal"
        placeholder="No change"
      />
    </>
  )
}

function MoveField({ form, collections }: { form: string; collections: BulkEditProps['collections'] }) {
  return (
    <SelectField
      label="Move to"
      name="move-to"
      form={form}
      options={[NO_CHANGE, ...collections.map(({ id, name }): [string, string] => [String(id), name])]}
    />
  )
}

/** The boxes that select lots. */
function selectionBoxes(form: string): NodeListOf<HTMLInputElement> {
  return document.querySelectorAll(`input:is([name=lot], [name=all])[form=${form}]`)
}

/** Follows which lots are selected; undefined if none is. */
function useSelection(form: string, rows: LotRow[], matching: BulkEditProps['matching']) {
  const [selection, setSelection] = useState<Selection>()
  useEffect(() => {
    const update = () => {
      const checked = [...selectionBoxes(form)].filter((box) => box.checked)
      if (checked.some(({ name }) => name === 'all')) return setSelection({ ...matching, item: undefined })
      const ids = new Set(checked.map(({ value }) => Number(value)))
      const selected = rows.filter(({ id }) => ids.has(id))
      const items = new Set(selected.map(({ item }) => item))
      const values = selected.flatMap(({ value }) => value ?? [])
      return setSelection(
        selected.length === 0
          ? undefined
          : {
              lots: selected.length,
              units: selected.reduce((sum, { quantity }) => sum + quantity, 0),
              value: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0),
              item: items.size === 1 ? [...items][0] : undefined,
            },
      )
    }
    // Boxes that were ticked before hydration, or that the browser restored.
    update()
    document.addEventListener('change', update)
    return () => document.removeEventListener('change', update)
  }, [form, rows, matching])
  return [selection, setSelection] as const
}

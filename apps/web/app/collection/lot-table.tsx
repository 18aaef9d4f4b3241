import { useEffect, useRef, useState, type ComponentProps } from 'react'
import { Form, Link } from 'react-router'
import { parseItem } from '@brickmark/core/portfolio/item'
import { MAX_ITEM_NAME, MAX_NOTES, MAX_UNITS } from '@brickmark/core/portfolio/lot'
import { formatDecimal } from '@brickmark/core/primitives/money'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { capitalize } from '../ui/capitalize.ts'
import { formatDate } from '../ui/format-date.ts'
import { Delta, Money, NotAvailable } from '../ui/money.tsx'
import { ItemPicture, ItemTitle, itemName, itemNote } from '../ui/item-link.tsx'
import { Table, type Column, type SortState } from '../ui/table.tsx'

/** Lot as displayed: amounts in cents, with the current value per unit. */
export type LotRow = {
  id: number
  item: string
  title: string
  theme: string
  year: number | null
  quantity: number
  /** Null for a custom item. */
  condition: 'sealed' | 'used' | null
  status: 'owned' | 'listed'
  price: number | null
  date: string | null
  notes: string | null
  unitValue: number | null
  value: number | null
  gain: number | null
  gainPct: number | null
  /** When the owner of a custom item valued it, after how many months to ask again, and when that is. */
  ownValueDate: string | null
  reviewMonths: number | null
  reviewDate: string | null
  /** Optimistic-locking token, sent back when the lot is saved. */
  version: string
}

export const CONDITIONS: [string, string][] = [
  ['sealed', 'Sealed'],
  ['used', 'Used'],
]
export const STATUSES: [string, string][] = [
  ['owned', 'Owned'],
  ['listed', 'Listed'],
]

/** When to ask the owner of a custom item whether its value still holds. */
export const REVIEW_OPTIONS: [string, string][] = [
  ['3', 'After 3 months'],
  ['12', 'After a year'],
  ['', 'Never'],
]

/** The columns that can be chosen, in display order. The item and the actions are always shown. */
export const LOT_COLUMNS: [key: string, title: string][] = [
  ['theme', 'Theme'],
  ['year', 'Year'],
  ['quantity', 'Qty'],
  ['condition', 'Condition'],
  ['status', 'Status'],
  ['date', 'Purchased'],
  ['price', 'Purchase price'],
  ['total', 'Value'],
  ['gain', 'Gain'],
]
export const DEFAULT_LOT_COLUMNS = LOT_COLUMNS.map(([key]) => key).filter((key) => key !== 'theme' && key !== 'year')

const COLUMN_TITLES = new Map(LOT_COLUMNS)

const EDIT_FORM = 'edit-lot'

/** They and their fields need all the width there is. */
const EDITED_COLUMNS = ['quantity', 'condition', 'status', 'date', 'price']

type LotForm = {
  bulkForm: string
  editing: number | undefined
  /** YYYY-MM-DD */
  today: string
  /** Returns the path that edits a lot; `undefined` closes the editor. */
  editPath: (id: number | undefined) => string
}

/**
 * Table of a collection's lots. Checkboxes belong to the form `bulkForm`. The lot with the id `editing` is rendered as
 * input fields, which belong to the form around its save button; meanwhile, only columns with fields are shown.
 */
export function LotTable({
  rows,
  visibleColumns,
  sorting,
  ...form
}: { rows: LotRow[]; visibleColumns: string[]; sorting: SortState } & LotForm) {
  const shown = new Set(['number', 'edit', ...(form.editing === undefined ? visibleColumns : EDITED_COLUMNS)])
  return (
    <Table
      caption="Lots"
      rows={rows}
      rowKey={(lot) => lot.id}
      columns={lotColumns(form).filter(({ key }) => shown.has(key))}
      sorting={sorting}
      narrowLayout="lines"
      // The fields of a lot are wider than a tablet.
      scrolls={form.editing !== undefined}
    />
  )
}

function lotColumns({ bulkForm, editing, today, editPath }: LotForm): Column<LotRow>[] {
  return [
    {
      key: 'number',
      inLines: true,
      title: 'Item',
      sortable: true,
      cell: (lot) => <ItemCell lot={lot} bulkForm={bulkForm} isEdited={lot.id === editing} today={today} />,
    },
    { key: 'theme', title: COLUMN_TITLES.get('theme')!, sortable: true, cell: (lot) => lot.theme },
    {
      key: 'year',
      title: COLUMN_TITLES.get('year')!,
      right: true,
      sortable: true,
      cell: (lot) => lot.year ?? <NotAvailable />,
    },
    {
      key: 'quantity',
      title: COLUMN_TITLES.get('quantity')!,
      right: true,
      sortable: true,
      cell: (lot) =>
        lot.id === editing ? (
          <Input name="quantity" label="Quantity" type="number" min={1} max={MAX_UNITS} defaultValue={lot.quantity} />
        ) : (
          lot.quantity.toLocaleString('en-US')
        ),
    },
    {
      key: 'condition',
      title: COLUMN_TITLES.get('condition')!,
      sortable: true,
      cell: (lot) =>
        lot.id === editing && isSet(lot) ? (
          <Select name="condition" label="Condition" options={CONDITIONS} defaultValue={lot.condition ?? ''} />
        ) : lot.condition === null ? (
          <span className="text-ink-soft">Your value</span>
        ) : (
          capitalize(lot.condition)
        ),
    },
    {
      key: 'status',
      onlyWide: editing === undefined,
      title: COLUMN_TITLES.get('status')!,
      sortable: true,
      cell: (lot) =>
        lot.id === editing ? (
          <Select name="status" label="Status" options={STATUSES} defaultValue={lot.status} />
        ) : (
          <Badge tone={lot.status === 'listed' ? 'accent' : 'plain'}>{capitalize(lot.status)}</Badge>
        ),
    },
    {
      key: 'date',
      onlyWide: editing === undefined,
      title: COLUMN_TITLES.get('date')!,
      sortable: true,
      cell: (lot) =>
        lot.id === editing ? (
          <Input name="date" label="Purchased" type="date" defaultValue={lot.date ?? ''} />
        ) : (
          <span className="whitespace-nowrap">{lot.date === null ? <NotAvailable /> : formatDate(lot.date)}</span>
        ),
    },
    {
      key: 'price',
      title: COLUMN_TITLES.get('price')!,
      right: true,
      sortable: true,
      cell: (lot) =>
        lot.id === editing ? (
          <Input
            name="price"
            label="Purchase price (USD, each)"
            inputMode="decimal"
            defaultValue={lot.price === null ? '' : formatDecimal(lot.price)}
          />
        ) : (
          <Money cents={lot.price} />
        ),
    },
    {
      key: 'total',
      inLines: true,
      title: COLUMN_TITLES.get('total')!,
      right: true,
      sortable: true,
      cell: (lot) => (
        <span>
          <Money cents={lot.value} />
          {lot.unitValue !== null && lot.quantity > 1 && (
            <span className="block text-ink-soft max-md:hidden">
              <Money cents={lot.unitValue} /> each
            </span>
          )}
          {lot.ownValueDate !== null && (
            <span className="block text-xs text-ink-soft">your value of {formatDate(lot.ownValueDate)}</span>
          )}
        </span>
      ),
    },
    {
      key: 'gain',
      inLines: true,
      title: COLUMN_TITLES.get('gain')!,
      right: true,
      sortable: true,
      cell: (lot) => (
        <span>
          <Delta cents={lot.gain} />
          {lot.gainPct !== null && (
            <span className="block">
              <Delta ratio={lot.gainPct / 100} withArrow={false} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'edit',
      inLines: true,
      title: 'Actions',
      right: true,
      cell: (lot) =>
        lot.id === editing ? (
          <SaveLot version={lot.version} cancelPath={editPath(undefined)} />
        ) : (
          <LotActions lot={lot} editPath={editPath(lot.id)} />
        ),
    },
  ]
}

function isSet({ item }: LotRow): boolean {
  return parseItem(item).kind === 'set'
}

function ItemCell({
  lot,
  bulkForm,
  isEdited,
  today,
}: {
  lot: LotRow
  bulkForm: string
  isEdited: boolean
  today: string
}) {
  const isCustom = lot.condition === null
  return (
    <span className="flex items-start gap-2 text-left xl:min-w-44" id={`lot-${lot.id}`}>
      <input
        type="checkbox"
        name="lot"
        value={lot.id}
        form={bulkForm}
        aria-label={`Select ${itemName(lot.item, lot.title)}, lot ${lot.id}`}
        className="mt-3 size-4 shrink-0 accent-accent"
      />
      <ItemPicture item={lot.item} />
      <span className="min-w-0 break-words">
        {isEdited && isCustom ? (
          <Input name="name" label="Name" defaultValue={lot.title} required maxLength={MAX_ITEM_NAME} />
        ) : (
          <ItemTitle item={lot.item} title={lot.title} className="block max-md:truncate" />
        )}
        <span className="block text-xs font-normal text-ink-soft">
          {itemNote(lot.item)}
          <span className="md:hidden">
            {` · ${lot.quantity.toLocaleString('en-US')} ${lot.condition ?? (lot.quantity === 1 ? 'copy' : 'copies')}`}
            {lot.status === 'listed' && ', listed'}
          </span>
        </span>
        {isEdited && isCustom && (
          <span className="my-1 flex flex-wrap gap-1">
            <Input
              name="value"
              label="Your value (USD, each)"
              inputMode="decimal"
              defaultValue={lot.unitValue === null ? '' : formatDecimal(lot.unitValue)}
            />
            <Select
              name="review"
              label="Ask me about the value"
              options={REVIEW_OPTIONS}
              defaultValue={String(lot.reviewMonths ?? '')}
            />
          </span>
        )}
        {!isEdited && lot.reviewDate !== null && lot.reviewDate <= today && <ConfirmValue lot={lot} />}
        {isEdited ? (
          <Input name="notes" label="Notes" defaultValue={lot.notes ?? ''} maxLength={MAX_NOTES} />
        ) : (
          lot.notes !== null && (
            <span className="line-clamp-2 text-xs font-normal wrap-anywhere text-ink-soft max-md:hidden">
              {lot.notes}
            </span>
          )
        )}
      </span>
    </span>
  )
}

/** Asks whether the value of a custom item still holds. */
function ConfirmValue({ lot }: { lot: LotRow }) {
  return (
    <Form method="post" preventScrollReset className="my-1 flex flex-wrap items-center gap-2 text-xs font-normal">
      <input type="hidden" name="intent" value="confirm-value" />
      <input type="hidden" name="confirmed" value={lot.id} />
      <span className="text-warn">Still worth that?</span>
      <button className="min-h-6 text-accent underline underline-offset-4">
        Yes, still <Money cents={lot.unitValue} />
      </button>
    </Form>
  )
}

function SaveLot({ version, cancelPath }: { version: string; cancelPath: string }) {
  return (
    <Form method="post" id={EDIT_FORM} className="flex items-center justify-end gap-2 md:flex-col md:items-end">
      <input type="hidden" name="intent" value="edit" />
      <input type="hidden" name="seen" value={version} />
      <Button variant="main">Save</Button>
      <Link className="underline underline-offset-4" preventScrollReset to={cancelPath}>
        Cancel
      </Link>
    </Form>
  )
}

function LotActions({ lot, editPath }: { lot: LotRow; editPath: string }) {
  return (
    <span className="flex justify-end gap-3 md:flex-col md:items-end md:gap-0">
      <Link preventScrollReset to={editPath} aria-label={`Edit ${itemName(lot.item, lot.title)}, lot ${lot.id}`}>
        Edit
      </Link>
      <Link
        to={`/sales/new?${new URLSearchParams({ item: lot.item, lot: String(lot.id) })}`}
        aria-label={`Sell ${itemName(lot.item, lot.title)}, lot ${lot.id}`}
      >
        Sell
      </Link>
    </span>
  )
}

const COMPACT_CONTROL = 'rounded-control border border-line-strong bg-card px-1.5 py-1 text-ink'

function Input({ label, ...input }: { label: string } & ComponentProps<'input'>) {
  const width = ['notes', 'name'].includes(input.name ?? '')
    ? 'w-full'
    : input.type === 'date'
      ? 'w-32'
      : input.type === 'number'
        ? 'w-14'
        : 'w-18'
  return (
    <input
      // Remount when the default value changes, because an uncontrolled input would keep the old one.
      key={String(input.defaultValue)}
      form={EDIT_FORM}
      aria-label={label}
      placeholder={label}
      className={`${COMPACT_CONTROL} ${width} font-normal`}
      {...input}
    />
  )
}

function Select({
  label,
  options,
  ...select
}: { label: string; options: [string, string][] } & ComponentProps<'select'>) {
  return (
    <select
      key={String(select.defaultValue)}
      form={EDIT_FORM}
      aria-label={label}
      className={COMPACT_CONTROL}
      {...select}
    >
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** Checkbox that selects all lots on the page. Not rendered without JavaScript. */
export function SelectAllOnPage({ form }: { form: string }) {
  const [hydrated, setHydrated] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => setHydrated(true), [])
  if (!hydrated) return null
  return (
    <label className="flex items-center gap-2">
      <input
        ref={box}
        type="checkbox"
        className="size-4 accent-accent"
        onChange={(event) => {
          const { checked } = event.currentTarget
          for (const lot of document.querySelectorAll<HTMLInputElement>(`input[name=lot][form=${form}]`)) {
            lot.checked = checked
          }
        }}
      />
      Select all on this page
    </label>
  )
}

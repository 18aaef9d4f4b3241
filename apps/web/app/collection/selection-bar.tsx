import { FolderInput, Pencil, ReceiptText, Trash2, X } from 'lucide-react'
import { Link } from 'react-router'
import { countOf } from '../ui/count-of.ts'
import { Money } from '../ui/money.tsx'

/** What a selection of lots comes to. */
export type Selection = {
  lots: number
  units: number
  /** Null if none of them has a value. */
  value: number | null
  /** The only item among them, which can be sold; undefined if there are several. */
  item: string | undefined
}

const ACTION = 'flex min-h-10 items-center justify-center gap-1.5 rounded-control px-3 py-1 no-underline max-sm:px-1'

/** Sums up the selected lots and says what can be done with them. Stays in view above the page. */
export function SelectionBar({
  selection: { lots, units, value, item },
  canMove,
  opened,
  onOpen,
  onClear,
  deletePath,
}: {
  selection: Selection
  canMove: boolean
  /** Which fields are shown above the bar. */
  opened: 'edit' | 'move' | undefined
  onOpen: (fields: 'edit' | 'move' | undefined) => void
  onClear: () => void
  deletePath: string
}) {
  const toggle = (fields: 'edit' | 'move') => ({
    type: 'button' as const,
    'aria-expanded': opened === fields,
    onClick: () => onOpen(opened === fields ? undefined : fields),
    className: `${ACTION} hover:bg-card/15 aria-expanded:bg-card/20`,
  })
  return (
    <div
      role="region"
      aria-label="Selection"
      className="mx-auto flex max-w-3xl flex-wrap items-center gap-x-3 gap-y-1 rounded-stage bg-ink px-4 py-2 text-sm text-card shadow-floating"
    >
      <p aria-live="polite" className="flex-1 whitespace-nowrap">
        <strong>{countOf(lots, 'lot')}</strong> {countOf(units, 'copy', 'copies')}
        {value !== null && (
          <>
            {' · '}
            <Money cents={value} />
          </>
        )}
      </p>
      <div className="grid grid-flow-col gap-1 max-sm:order-last max-sm:w-full">
        <button {...toggle('edit')}>
          <Pencil aria-hidden="true" className="size-4" /> Edit
        </button>
        {canMove && (
          <button {...toggle('move')}>
            <FolderInput aria-hidden="true" className="size-4" /> Move
          </button>
        )}
        {item === undefined ? (
          <span className={`${ACTION} opacity-60`} title="Select lots of one item to sell them.">
            <ReceiptText aria-hidden="true" className="size-4" /> Sell
            <span className="sr-only">: select lots of one item</span>
          </span>
        ) : (
          <Link className={`${ACTION} text-card hover:bg-card/15`} to={`/sales/new?${new URLSearchParams({ item })}`}>
            <ReceiptText aria-hidden="true" className="size-4" /> Sell
          </Link>
        )}
        <button formMethod="get" formAction={deletePath} className={`${ACTION} hover:bg-card/15`}>
          <Trash2 aria-hidden="true" className="size-4" /> Delete
        </button>
      </div>
      <button type="button" aria-label="Clear selection" onClick={onClear} className="grid size-8 place-items-center">
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  )
}

import type { ReactNode } from 'react'
import { Link } from 'react-router'

export type Column<Row> = {
  /** Identifies the column in sort links. */
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Right-aligns the column, for numbers. */
  right?: boolean
  /** Makes the title a sort link. */
  sortable?: boolean
}

export type SortState = {
  by: string
  descending: boolean
  /**
   * Returns the path that sorts by a column. Sorting uses links, so it works without JavaScript and can be bookmarked.
   */
  to: (by: string, descending: boolean) => string
}

const NARROW_CLASSES = { cards: 'cards-when-narrow', lines: 'cards-when-narrow lines-when-narrow', scroll: '' }

/**
 * Table with a caption; the first column is the row header. On narrow screens rows become cards. For many numeric
 * columns, use the layout that scrolls inside a keyboard-accessible region instead.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  sorting,
  narrowLayout = 'cards',
}: {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string | number
  sorting?: SortState
  /** `lines`: the columns `number`, `total` and `gain` in two lines, without the others. */
  narrowLayout?: 'cards' | 'lines' | 'scroll'
}) {
  const table = (
    // Explicit roles: `display: block` on narrow screens would remove the implicit table semantics.
    <table role="table" className={`w-full text-sm ${NARROW_CLASSES[narrowLayout]}`}>
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row" className="border-b border-line-strong">
          {columns.map((column) => (
            <Heading key={column.key} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row" key={rowKey(row)} className="border-b border-line last:border-0">
            {columns.map((column, index) => (
              <Cell key={column.key} column={column} first={index === 0}>
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
  if (narrowLayout !== 'scroll') return table
  return (
    <div role="region" aria-label={caption} tabIndex={0} className="overflow-x-auto">
      {table}
    </div>
  )
}

function Heading<Row>({ column, sorting }: { column: Column<Row>; sorting: SortState | undefined }) {
  const sorted = sorting?.by === column.key
  const order = sorting?.descending ? 'descending' : 'ascending'
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={sorted ? order : undefined}
      className={`px-2 py-2 font-medium whitespace-nowrap text-ink-soft first:pl-0 last:pr-0 ${column.right ? 'text-right' : 'text-left'}`}
    >
      {sorting && column.sortable ? (
        <Link
          className="text-ink underline decoration-line-strong underline-offset-4 hover:decoration-accent"
          preventScrollReset
          to={sorting.to(column.key, sorted ? !sorting.descending : column.right === true)}
        >
          {column.title}
          {sorted && <span aria-hidden="true">{sorting.descending ? ' ↓' : ' ↑'}</span>}
        </Link>
      ) : (
        column.title
      )}
    </th>
  )
}

function Cell<Row>({ column, first, children }: { column: Column<Row>; first: boolean; children: ReactNode }) {
  const className = `px-2 py-2 align-top first:pl-0 last:pr-0 ${column.right ? 'text-right' : 'text-left'}`
  if (!first) {
    return (
      <td role="cell" data-label={column.title} data-column={column.key} className={className}>
        {children}
      </td>
    )
  }
  return (
    <th
      role="rowheader"
      scope="row"
      data-label={column.title}
      data-column={column.key}
      className={`${className} font-medium`}
    >
      {children}
    </th>
  )
}

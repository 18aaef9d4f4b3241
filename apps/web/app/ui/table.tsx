import { Fragment, type ReactNode } from 'react'
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
  /** On phones, in the layout `lines`, one of the few columns that are shown: the first on the left, the others below each other. */
  inLines?: boolean
  /** Leaves the column out on screens between a phone and a desktop, where the table would get too wide. */
  onlyWide?: boolean
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
  scrolls = narrowLayout === 'scroll',
  detail,
}: {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => string | number
  sorting?: SortState
  /** `lines`: only the columns that are `inLines`. */
  narrowLayout?: 'cards' | 'lines' | 'scroll'
  /** Puts the table into a region that scrolls sideways. */
  scrolls?: boolean
  /** What a row opens to, below it; undefined if it is closed. */
  detail?: (row: Row) => ReactNode | undefined
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
        {rows.map((row) => {
          const opened = detail?.(row)
          return (
            <Fragment key={rowKey(row)}>
              <tr role="row" className={opened === undefined ? 'border-b border-line last:border-0' : ''}>
                {columns.map((column, index) => (
                  <Cell key={column.key} column={column} first={index === 0}>
                    {column.cell(row)}
                  </Cell>
                ))}
              </tr>
              {opened !== undefined && (
                <tr role="row" className="row-detail border-b border-line last:border-0">
                  <td role="cell" colSpan={columns.length} className="pb-4">
                    {opened}
                  </td>
                </tr>
              )}
            </Fragment>
          )
        })}
      </tbody>
    </table>
  )
  if (!scrolls) return table
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
      className={`px-2 py-2 font-medium whitespace-nowrap text-ink-soft first:pl-0 last:pr-0 ${column.right ? 'text-right' : 'text-left'} ${column.onlyWide ? 'md:max-xl:hidden' : ''}`}
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
  const className = `px-2 py-2 align-top first:pl-0 last:pr-0 ${column.right ? 'text-right' : 'text-left'} ${column.onlyWide ? 'md:max-xl:hidden' : ''}`
  if (!first) {
    return (
      <td
        role="cell"
        data-label={column.title}
        data-column={column.key}
        data-in-lines={column.inLines}
        className={className}
      >
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
      data-in-lines={column.inLines}
      className={`${className} font-medium`}
    >
      {children}
    </th>
  )
}

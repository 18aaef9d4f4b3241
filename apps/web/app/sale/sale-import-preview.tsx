import { Form } from 'react-router'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card, Stat } from '../ui/card.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { formatDate } from '../ui/format-date.ts'
import { Money } from '../ui/money.tsx'
import { Profit } from './sale-table.tsx'
import { Table } from '../ui/table.tsx'

/** Row of a report with its import state; amounts in cents. */
export type SaleImportRow = {
  row: number
  order: string
  title: string
  /** Set number entered by the user. */
  enteredSetNumber: string
  state: 'ready' | 'choice' | 'known' | 'skipped'
  reason: string | undefined
  sale:
    | {
        set: string
        date: string
        quantity: number
        gross: number
        fees: number
        shipping: number
        net: number
        profit: number | null
        roiPct: number | null
        unknownCost: string | undefined
      }
    | undefined
}

const STATES: Record<SaleImportRow['state'], [label: string, tone: Tone]> = {
  ready: ['Ready', 'gain'],
  choice: ['Needs set number', 'warn'],
  known: ['Already imported', 'plain'],
  skipped: ['Skipped', 'loss'],
}

/**
 * Preview of an import, with fields for missing set numbers. The form carries the report; the server does not store it.
 */
export function SaleImportPreview({
  content,
  from,
  rows,
  busy,
}: {
  content: string
  from: string
  rows: SaleImportRow[]
  busy: boolean
}) {
  const count = (state: SaleImportRow['state']) => rows.filter((row) => row.state === state).length
  const ready = count('ready')
  const rowsNeedingSet = rows.filter((row) => row.state === 'choice' || row.enteredSetNumber !== '')
  return (
    <>
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {(Object.keys(STATES) as SaleImportRow['state'][]).map((state) => (
          <Stat key={state} label={STATES[state][0]}>
            {count(state).toLocaleString('en-US')}
          </Stat>
        ))}
      </div>
      <Form method="post" encType="multipart/form-data" className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <textarea name="text" hidden readOnly value={content} />
        <Card title="A few questions about this report">
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <SelectField
              label="Remove units from"
              name="from"
              defaultValue={from}
              hint="If there aren’t enough units, we record the sale without a cost."
              options={[
                ['sealed', 'Oldest sealed lots'],
                ['used', 'Oldest used lots'],
                ['none', 'No lot (cost unknown)'],
              ]}
            />
            {rowsNeedingSet.map((row) => (
              <TextField
                key={row.row}
                label={`Set number for row ${row.row}`}
                name={`set:${row.row}`}
                defaultValue={row.enteredSetNumber}
                hint={`${row.title}${row.reason === undefined ? '' : `: ${row.reason}`}`}
              />
            ))}
          </div>
        </Card>
        <div className="flex flex-wrap gap-2">
          <Button name="intent" value="preview" disabled={busy}>
            Update preview
          </Button>
          {ready > 0 && (
            <Button variant="main" name="intent" value="import" disabled={busy}>
              Import {ready.toLocaleString('en-US')} {ready === 1 ? 'sale' : 'sales'}
            </Button>
          )}
          <ButtonLink to="/sales/import" reloadDocument>
            Choose another file
          </ButtonLink>
        </div>
      </Form>
      <Card title="Rows">
        <Table
          caption="Report rows"
          rows={rows}
          rowKey={({ row }) => row}
          columns={[
            { key: 'row', title: 'Row', cell: ({ row }) => row },
            {
              key: 'state',
              title: 'Status',
              cell: ({ state }) => <Badge tone={STATES[state][1]}>{STATES[state][0]}</Badge>,
            },
            {
              key: 'set',
              title: 'Set',
              cell: ({ sale, reason, order, title }) => (
                <span>
                  {sale?.set ?? <span className="block">{reason}</span>}
                  <span className="block text-ink-soft wrap-anywhere">
                    {sale ? sale.unknownCost && `Cost unknown. ${sale.unknownCost}` : `${order}: ${title}`}
                  </span>
                </span>
              ),
            },
            {
              key: 'date',
              title: 'Sold',
              cell: ({ sale }) => sale && <span className="whitespace-nowrap">{formatDate(sale.date)}</span>,
            },
            { key: 'units', title: 'Qty', right: true, cell: ({ sale }) => sale?.quantity },
            { key: 'gross', title: 'Gross', right: true, cell: ({ sale }) => sale && <Money cents={sale.gross} /> },
            { key: 'fees', title: 'Fees', right: true, cell: ({ sale }) => sale && <Money cents={sale.fees} /> },
            {
              key: 'shipping',
              title: 'Shipping',
              right: true,
              cell: ({ sale }) => sale && <Money cents={sale.shipping} />,
            },
            { key: 'net', title: 'Net', right: true, cell: ({ sale }) => sale && <Money cents={sale.net} /> },
            { key: 'profit', title: 'Profit', right: true, cell: ({ sale }) => sale && <Profit {...sale} /> },
          ]}
        />
      </Card>
    </>
  )
}

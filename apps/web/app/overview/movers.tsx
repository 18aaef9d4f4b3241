import { capitalize } from '../ui/capitalize.ts'
import { Card } from '../ui/card.tsx'
import { Delta, Money } from '../ui/money.tsx'
import { SetLink } from '../ui/set-link.tsx'
import { Table } from '../ui/table.tsx'

/** Value change of an owned set: its value in cents per unit, the change as a ratio, and its impact on all owned units. */
export type MoverRow = {
  setNumber: string
  title: string
  condition: 'sealed' | 'used'
  now: number
  portfolioImpact: number
  ratio: number
}

/** Sets with the largest positive and negative impact on the portfolio. */
export function Movers({
  gainers,
  losers,
  periodLabel,
}: {
  gainers: MoverRow[]
  losers: MoverRow[]
  periodLabel: string
}) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 xl:grid-cols-2">
      <MoverCard title={`Top gainers, ${periodLabel}`} rows={gainers} emptyText="None of your sets gained value." />
      <MoverCard title={`Top losers, ${periodLabel}`} rows={losers} emptyText="None of your sets lost value." />
    </div>
  )
}

function MoverCard({ title, rows, emptyText }: { title: string; rows: MoverRow[]; emptyText: string }) {
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className="text-ink-soft">{emptyText}</p>
      ) : (
        <Table
          caption={title}
          rows={rows}
          rowKey={(move) => `${move.condition} ${move.setNumber}`}
          columns={[
            { key: 'set', title: 'Set', cell: (move) => <SetLink {...move} note={capitalize(move.condition)} /> },
            { key: 'now', title: 'Value', right: true, cell: (move) => <Money cents={move.now} /> },
            { key: 'pct', title: 'Change', right: true, cell: (move) => <Delta ratio={move.ratio} /> },
            {
              key: 'effect',
              title: 'Impact',
              right: true,
              cell: (move) => <Delta cents={move.portfolioImpact} />,
            },
          ]}
        />
      )}
    </Card>
  )
}

import { Card } from './card.tsx'
import { Delta, Money } from './money.tsx'
import { SetName } from './set-link.tsx'
import { Table } from './table.tsx'

/** How the value of a set held moved: cents, and what it means for all units held. */
export type ShownMove = {
  setNumber: string
  title: string
  condition: 'sealed' | 'used'
  now: number
  effect: number
  pct: number
}

/** The sets that moved the portfolio most, up and down. */
export function Movers({ up, down, over }: { up: ShownMove[]; down: ShownMove[]; over: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
      <MoveCard title={`Up most in ${over}`} rows={up} none="Nothing you hold went up." />
      <MoveCard title={`Down most in ${over}`} rows={down} none="Nothing you hold went down." />
    </div>
  )
}

function MoveCard({ title, rows, none }: { title: string; rows: ShownMove[]; none: string }) {
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className="text-ink-soft">{none}</p>
      ) : (
        <Table
          caption={title}
          rows={rows}
          rowKey={(move) => `${move.condition} ${move.setNumber}`}
          columns={[
            { key: 'set', title: 'Set', cell: (move) => <SetName {...move} note={move.condition} /> },
            { key: 'now', title: 'Value', right: true, cell: (move) => <Money cents={move.now} /> },
            { key: 'pct', title: 'Change', right: true, cell: (move) => <Delta ratio={move.pct / 100} /> },
            { key: 'effect', title: 'On your units', right: true, cell: (move) => <Delta cents={move.effect} /> },
          ]}
        />
      )}
    </Card>
  )
}

import type { LotSummary } from '@brickmark/core/portfolio/portfolio-totals'
import { countOf } from '../ui/count-of.ts'
import { Converted } from '../ui/converted.tsx'
import { Delta, Money } from '../ui/money.tsx'
import { StatRow, type StatCell } from '../ui/stat-row.tsx'

/** Totals of a collection as a row of figures that add up to its value. */
export function CollectionStats({ summary }: { summary: LotSummary }) {
  const { items, distinctItems, value, cost, gain, gainRatio, valueWithoutCost, excluded } = summary
  const unpricedCell: StatCell = {
    ...(cost === null ? { sign: '=' } : { sign: '+' }),
    label: 'No purchase price',
    figure: <Money cents={valueWithoutCost} />,
    detail: countOf(excluded.withoutCost, 'copy', 'copies'),
  }
  return (
    <StatRow
      label="Totals"
      cells={[
        {
          label: 'Value',
          figure: (
            <>
              <Money cents={value} /> <Converted cents={value} />
            </>
          ),
          detail: `${countOf(items, 'copy', 'copies')} of ${countOf(distinctItems, 'item')}`,
        },
        ...(cost === null
          ? []
          : ([
              { sign: '=', label: 'Cost basis', figure: <Money cents={cost} />, detail: 'What you paid' },
              {
                sign: '+',
                label: 'Unrealized gain',
                figure: <Delta cents={gain} />,
                detail: gainRatio !== null && (
                  <>
                    <Delta ratio={gainRatio} withArrow={false} /> on cost
                  </>
                ),
              },
            ] satisfies StatCell[])),
        ...(excluded.withoutCost > 0 ? [unpricedCell] : []),
      ]}
    />
  )
}

import type { MarketData } from './landing.server.ts'
import { Chart } from '../ui/chart.tsx'

const LEVEL = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, minimumFractionDigits: 1 })

/** The Brick Index: how the values of retired sets moved, with its 90% confidence band. */
export function IndexChart({ index }: { index: MarketData['index'] }) {
  return (
    <Chart
      title="Brick Index"
      tall
      points={index.map(({ month, level, low, high }) => ({ x: month, values: { level, low, high } }))}
      series={[
        { key: 'high', label: '90% confidence', kind: 'band', low: 'low', tone: 'accent', decorative: true },
        { key: 'level', label: 'Brick Index', kind: 'line', tone: 'accent' },
      ]}
      format={(level) => LEVEL.format(level)}
    />
  )
}

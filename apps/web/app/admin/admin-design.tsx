import { Plus } from 'lucide-react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card, Stat } from '../ui/card.tsx'
import { Chart } from '../ui/chart.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { formatUsd } from '@brickmark/core/primitives/format-money'
import { Delta, Money, NotAvailable, PriceChange } from '../ui/money.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { SegmentedLinks } from '../ui/segmented-links.tsx'
import { Table } from '../ui/table.tsx'
import { UsageMeter } from '../usage/usage-meter.tsx'
import { ValueBlock, type ValueEstimate } from '../ui/value-block.tsx'
import { ValueChart, type ValuePoint } from '../ui/value-chart.tsx'

/** Colors by their names in app.css. Literal class names, because Tailwind looks for them in the source. */
const COLORS = [
  ['paper', 'bg-paper'],
  ['card', 'bg-card'],
  ['raised', 'bg-raised'],
  ['sunken', 'bg-sunken'],
  ['line', 'bg-line'],
  ['line-strong', 'bg-line-strong'],
  ['ink', 'bg-ink'],
  ['ink-soft', 'bg-ink-soft'],
  ['ink-faint', 'bg-ink-faint'],
  ['accent', 'bg-accent'],
  ['accent-soft', 'bg-accent-soft'],
  ['gain', 'bg-gain'],
  ['gain-soft', 'bg-gain-soft'],
  ['loss', 'bg-loss'],
  ['loss-soft', 'bg-loss-soft'],
  ['warn', 'bg-warn'],
  ['warn-soft', 'bg-warn-soft'],
  ['spark', 'bg-spark'],
] as const

const TONES: Tone[] = ['plain', 'accent', 'gain', 'loss', 'warn']

const ESTIMATE: ValueEstimate = {
  value: 8479,
  low: 7297,
  high: 9852,
  tier: 'market',
  yearChange: { ratio: 0.152, months: null },
  evidence: { sellers: 14, lastSold: '2026-11-12' },
  doubtful: false,
  at: '2026-11-15T22:36:00Z',
}

const POINTS: ValuePoint[] = Array.from({ length: 12 }, (_, n) => ({
  month: `2025-${String(n + 1).padStart(2, '0')}`,
  value: n === 4 ? null : 5000 + 250 * n,
  low: n === 4 ? null : 4400 + 220 * n,
  high: n === 4 ? null : 5700 + 280 * n,
  sold: n === 4 || n % 5 === 0 ? null : 4 + (n % 4),
  few: n % 5 === 0,
  event: n === 6 ? 'retired' : null,
  isFinal: true,
}))

/** Every component with its states, for developers. Switch the theme in the side bar. All numbers are examples. */
export default function AdminDesign() {
  return (
    <Page title="Design" description="Every component with its states. All numbers are examples.">
      <title>Design · Brickmark</title>
      <Card title="Colors">
        <ul className="grid grid-cols-3 gap-3 text-sm sm:grid-cols-6">
          {COLORS.map(([name, className]) => (
            <li key={name}>
              <span className={`block h-10 rounded-control border border-line ${className}`} />
              {name}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Type">
        {[
          ['text-4xl', '4xl, the front page'],
          ['text-3xl', '3xl, main figures'],
          ['text-2xl', '2xl, page titles'],
          ['text-xl', 'xl, figures'],
          ['text-lg', 'lg, card titles'],
          ['text-base', 'base, text'],
          ['text-sm', 'sm, details'],
          ['text-xs', 'xs, notes'],
        ].map(([className, label]) => (
          <p key={className} className={className}>
            {label}
          </p>
        ))}
      </Card>
      <Card title="Buttons and links">
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="main">
            <Plus aria-hidden="true" className="size-4" /> Main
          </Button>
          <Button>Plain</Button>
          <Button variant="danger">Danger</Button>
          <Button disabled>Disabled</Button>
          <ButtonLink to="/admin/design">Link</ButtonLink>
          <SegmentedLinks
            label="Example"
            selected="one"
            options={[
              ['one', 'One'],
              ['two', 'Two'],
            ]}
            hrefFor={() => '/admin/design'}
          />
        </div>
      </Card>
      <Card title="Badges and notices">
        <div className="mb-4 flex flex-wrap gap-2">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        <div className="grid gap-3">
          {TONES.map((tone) => (
            <Notice key={tone} tone={tone} title={`Notice, ${tone}`}>
              Says what happened and what to do.
            </Notice>
          ))}
        </div>
      </Card>
      <Card title="Fields">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Text" name="text" hint="With a hint." />
          <TextField label="Invalid" name="invalid" defaultValue="abc" error="Enter a valid price, e.g. 12.50." />
          <SelectField label="Select" name="select" options={[['', 'Any']]} />
          <TextField label="Disabled" name="disabled" disabled defaultValue="Can’t be changed" />
        </div>
      </Card>
      <Card title="Money">
        <p className="flex flex-wrap gap-4">
          <Money cents={123_450} />
          <Money cents={null} />
          <Delta cents={1250} ratio={0.1} />
          <Delta cents={-1250} ratio={-0.1} />
          <Delta cents={0} />
          <PriceChange cents={-300} />
          <NotAvailable />
        </p>
      </Card>
      <div className="grid gap-3 sm:grid-cols-3">
        <Stat label="Stat" detail="With a detail.">
          <Money cents={2_046_800} />
        </Stat>
        <Stat label="Usage">
          <UsageMeter used={312} limit={1000} name="Example" />
        </Stat>
      </div>
      <div className="grid divide-line rounded-card border border-line bg-card shadow-card max-sm:divide-y sm:grid-cols-2 sm:divide-x">
        <ValueBlock label="Value with evidence" estimate={ESTIMATE} />
        <ValueBlock label="Value in doubt" estimate={{ ...ESTIMATE, doubtful: true }} />
        <ValueBlock label="Modelled value" estimate={{ ...ESTIMATE, tier: 'modelled', evidence: null }} />
        <ValueBlock label="No value" estimate={undefined} />
      </div>
      <Card title="Charts">
        <ValueChart label="Example of a value over time" points={POINTS} retail={4999} />
        <div className="mt-6">
          <Chart
            title="Lines and bars"
            points={POINTS.map(({ month, value, sold }) => ({ x: month, values: { value, sold } }))}
            series={[{ key: 'value', label: 'Value', kind: 'line', tone: 'accent' }]}
            format={formatUsd}
          />
        </div>
      </Card>
      <Card title="Table">
        <Table
          caption="Example"
          rows={['First', 'Second']}
          rowKey={(row) => row}
          sorting={{ by: 'name', descending: false, to: () => '/admin/design' }}
          columns={[
            { key: 'name', title: 'Name', sortable: true, cell: (row) => row },
            { key: 'value', title: 'Value', right: true, sortable: true, cell: () => <Money cents={8479} /> },
          ]}
        />
      </Card>
      <EmptyState title="Nothing here yet" action={<Button>First action</Button>}>
        One sentence that says how to change that.
      </EmptyState>
    </Page>
  )
}

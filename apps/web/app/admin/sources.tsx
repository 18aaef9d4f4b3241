import { Check, Clock, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import { TimeAgo } from './time-ago.tsx'

export type SourceView = {
  id: string
  name: string
  license: string
  terms: string
  rank: number
  /** Null if it arrives as files, or was never read. */
  polledAt: string | null
  withdrawnAt: string | null
  feedsValues: boolean
  shown: boolean
  /** As PostgreSQL writes intervals. */
  maxDisplayAge: string | null
  retention: string | null
  attribution: string | null
}

/** What the worker can read by itself, and the variables that switch it on. Keys stay in its environment. */
const CONNECTORS = [
  { id: 'rebrickable', name: 'Rebrickable', brings: 'Sets, minifigs, themes', variables: ['REBRICKABLE_LICENSE_ID'] },
  {
    id: 'brickset',
    name: 'Brickset',
    brings: 'Dates, list prices, barcodes',
    variables: ['BRICKSET_API_KEY', 'BRICKSET_LICENSE_ID'],
  },
  {
    id: 'keepa',
    name: 'Keepa',
    brings: 'Retail prices, with history',
    variables: ['KEEPA_API_KEY', 'KEEPA_LICENSE_ID'],
  },
  {
    id: 'walmart',
    name: 'Walmart',
    brings: 'Retail prices',
    variables: ['WALMART_CONSUMER_ID', 'WALMART_PRIVATE_KEY', 'WALMART_LICENSE_ID'],
  },
]

/** The sources that are on, with what their licenses allow, and then those that could be switched on. */
export function Sources({ sources, now }: { sources: SourceView[]; now: string }) {
  const off = CONNECTORS.filter(({ id }) => !sources.some((source) => source.id === id))
  return (
    <section aria-labelledby="sources">
      <h2 id="sources" className="mb-3 text-lg">
        Sources
      </h2>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {sources.map((source) => (
          <SourceCard key={source.id} source={source} now={now} />
        ))}
        {off.map(({ id, name, brings, variables }) => (
          <Box key={id} title={name} detail={brings} badge={<Badge>Off</Badge>}>
            <p>To switch it on, set these for the worker and restart it:</p>
            <ul className="font-mono text-xs">
              {variables.map((variable) => (
                <li key={variable} className="break-all">
                  {variable}
                </li>
              ))}
            </ul>
          </Box>
        ))}
        <Box title="Your own files" detail="Sales, prices, catalog">
          <p>Register a source and its license, then ingest files of it:</p>
          <ul className="font-mono text-xs">
            <li>npm run ops -- source add</li>
            <li>npm run ops -- ingest</li>
          </ul>
        </Box>
      </div>
    </section>
  )
}

function SourceCard({ source, now }: { source: SourceView; now: string }) {
  const connector = CONNECTORS.find(({ id }) => id === source.id)
  const { withdrawnAt, polledAt } = source
  return (
    <Box
      title={source.name}
      detail={connector?.brings ?? source.id}
      badge={
        withdrawnAt !== null ? (
          <Badge tone="loss">Withdrawn</Badge>
        ) : connector && polledAt === null ? (
          <Badge tone="warn">Not read yet</Badge>
        ) : (
          <Badge tone="gain">On</Badge>
        )
      }
    >
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 [&>dd]:text-right [&>dt]:text-ink-soft">
        <dt>Last read</dt>
        <dd>
          <TimeAgo iso={polledAt} now={now} fallback={connector ? 'Never' : 'From files'} />
        </dd>
        <dt>Priority</dt>
        <dd>{source.rank}</dd>
        <dt>License</dt>
        <dd className="break-all" title={source.terms}>
          {source.license}
        </dd>
      </dl>
      <Rules source={source} />
    </Box>
  )
}

function Rules({ source }: { source: SourceView }) {
  const { feedsValues, shown, maxDisplayAge, retention, attribution } = source
  return (
    <ul className="grid gap-1 border-t border-line pt-3 text-xs text-ink-soft">
      <Rule kind={feedsValues ? 'yes' : 'no'}>
        {feedsValues ? 'Values are computed from it' : 'Values never use it'}
      </Rule>
      <Rule kind={shown ? 'yes' : 'no'}>
        {shown ? 'Its facts and prices are shown; single sales never' : 'Nothing of it is shown'}
      </Rule>
      {shown && maxDisplayAge !== null && <Rule kind="time">Hidden after {formatInterval(maxDisplayAge)}</Rule>}
      {retention !== null && <Rule kind="time">Rows are deleted after {formatInterval(retention)}</Rule>}
      {attribution !== null && <Rule kind="yes">Named on every page: “{attribution}”</Rule>}
    </ul>
  )
}

const formatInterval = (interval: string) =>
  interval.replace(/^(\d+):00:00$/, (_, hours: string) => `${Number(hours)} hours`)

const ICONS = {
  yes: <Check className="mt-0.5 size-3 flex-none text-gain" aria-label="Yes" />,
  no: <X className="mt-0.5 size-3 flex-none text-loss" aria-label="No" />,
  time: <Clock className="mt-0.5 size-3 flex-none text-warn" aria-label="Limit" />,
}

function Rule({ kind, children }: { kind: keyof typeof ICONS; children: ReactNode }) {
  return (
    <li className="flex gap-2">
      {ICONS[kind]}
      <span>{children}</span>
    </li>
  )
}

function Box({
  title,
  detail,
  badge,
  children,
}: {
  title: string
  detail: string
  badge?: ReactNode
  children: ReactNode
}) {
  return (
    <article className="grid content-start gap-3 rounded-card border border-line bg-card p-4 text-sm shadow-card">
      <div className="flex items-start justify-between gap-2">
        <div>
          <h3 className="font-semibold">{title}</h3>
          <p className="text-ink-soft">{detail}</p>
        </div>
        {badge}
      </div>
      {children}
    </article>
  )
}

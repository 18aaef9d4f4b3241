import { Link } from 'react-router'
import { Countdown } from './countdown.tsx'
import { UsageMeter } from './usage-meter.tsx'

type Quota = {
  now: string
  resetsAt: string
  limit: number
  /** Whether the plan includes the API. */
  apiAccess: boolean
  keys: { id: number; name: string; used: number }[]
}

/** One-line summary of today's API usage per key; nothing if the plan doesn't include the API. */
export function UsageSummary({ now, resetsAt, limit, apiAccess, keys }: Quota) {
  if (!apiAccess) return null
  return (
    <section
      aria-label="API usage today"
      className="flex flex-wrap items-center gap-x-6 gap-y-2 rounded-card border border-line bg-card px-4 py-3 text-sm sm:px-5"
    >
      <h2 className="text-base">API usage today</h2>
      {keys.length === 0 ? (
        <p className="text-ink-soft">
          No active API keys. <Link to="/keys">Create one</Link> to get {limit.toLocaleString('en-US')} credits a day.
        </p>
      ) : (
        keys.map(({ id, name, used }) => (
          <div key={id} className="flex min-w-56 flex-1 items-center gap-2">
            <Link to={`/keys/${id}`} className="max-w-32 truncate text-ink underline decoration-line-strong">
              {name}
            </Link>
            <span className="whitespace-nowrap text-ink-soft">
              {used.toLocaleString('en-US')} of {limit.toLocaleString('en-US')}
            </span>
            <span className="flex-1">
              <UsageMeter used={used} limit={limit} name={name} />
            </span>
          </div>
        ))
      )}
      {keys.length > 0 && (
        <p className="text-ink-soft">
          Resets <Countdown to={resetsAt} now={now} />
        </p>
      )}
    </section>
  )
}

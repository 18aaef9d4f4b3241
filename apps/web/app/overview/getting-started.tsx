import { Circle, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '../ui/card.tsx'

export type GettingStartedProps = {
  hasSets: boolean
  /** Whether the plan includes the API. */
  apiAccess: boolean
  /** Id of an active API key. */
  keyId: number | null
  /** Whether any key has sent a request. */
  hasCalled: boolean
}

/** The first steps of a new account. Steps that the plan doesn't allow aren't promised. */
export function GettingStarted({ hasSets, apiAccess, keyId, hasCalled }: GettingStartedProps) {
  const steps: { label: string; done: boolean; to: string }[] = [
    { label: 'Create your account', done: true, to: '/account' },
    { label: 'Add your first set', done: hasSets, to: '/import' },
    ...(apiAccess
      ? [
          { label: 'Create API key', done: keyId !== null, to: '/keys' },
          { label: 'Make your first API call', done: hasCalled, to: keyId === null ? '/keys' : `/keys/${keyId}` },
        ]
      : []),
  ]
  return (
    <Card title="Getting started">
      <ol className="grid gap-2.5">
        {steps.map(({ label, done, to }) => (
          <li key={label} className="flex items-center gap-2.5">
            {done ? (
              <CircleCheck aria-label="Done" className="size-5 shrink-0 text-gain" />
            ) : (
              <Circle aria-label="To do" className="size-5 shrink-0 text-ink-faint" />
            )}
            {done ? <span className="text-ink-soft">{label}</span> : <Link to={to}>{label}</Link>}
          </li>
        ))}
      </ol>
      {!apiAccess && (
        <p className="mt-3 text-sm text-ink-soft">
          Your plan doesn’t include the API. <Link to="/pricing">Compare plans</Link>
        </p>
      )}
    </Card>
  )
}

/** Whether there is something left to do that the account has shown interest in. */
export function needsGettingStarted({ hasSets, apiAccess, keyId, hasCalled }: GettingStartedProps): boolean {
  return !hasSets || (apiAccess && keyId !== null && !hasCalled)
}

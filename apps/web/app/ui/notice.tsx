import type { ReactNode } from 'react'
import type { Tone } from './badge.tsx'

const TONES: Record<Tone, string> = {
  plain: 'border-line-strong bg-card',
  accent: 'border-accent bg-accent-soft',
  gain: 'border-gain bg-gain-soft',
  loss: 'border-loss bg-loss-soft',
  warn: 'border-warn bg-warn-soft',
}

/** Error, success or status message, announced by screen readers when it appears. */
export function Notice({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <div role={tone === 'loss' ? 'alert' : 'status'} className={`rounded-card border-l-4 px-4 py-3 ${TONES[tone]}`}>
      {title !== undefined && <p className="font-semibold">{title}</p>}
      <div>{children}</div>
    </div>
  )
}

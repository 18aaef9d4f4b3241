import type { ReactNode } from 'react'

export type Tone = 'plain' | 'accent' | 'gain' | 'loss' | 'warn'

const TONES: Record<Tone, string> = {
  plain: 'bg-sunken text-ink',
  accent: 'bg-accent-soft text-accent',
  gain: 'bg-gain-soft text-gain',
  loss: 'bg-loss-soft text-loss',
  warn: 'bg-warn-soft text-warn',
}

/** Short status label. The text carries the meaning; the tone only supports it. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`inline-block rounded-badge px-2 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}>
      {children}
    </span>
  )
}

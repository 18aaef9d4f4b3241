import type { AccountSignal } from '@brickmark/core/account/signal'

type Signal = {
  label: string
  /** What is counted, such as “sign-in” and “with a new browser”. */
  noun: string
  which: string
  meaning: string
  /** Only the day of the last one is known. */
  byDay?: true
}

/** How to describe each signal. */
export const SIGNALS: Record<AccountSignal['signal'], Signal> = {
  new_devices: {
    label: 'New browsers',
    noun: 'sign-in',
    which: 'with a new browser',
    meaning: 'One is a new phone or laptop; several in a week may be a shared or stolen password.',
  },
  mail_bounced: {
    label: 'Mail returned',
    noun: 'address',
    which: 'that rejects mail',
    meaning: 'The address bounced, or its owner marked our mail as spam, so alerts are no longer mailed.',
  },
  ended_keys: {
    label: 'Ended keys in use',
    noun: 'request',
    which: 'with a revoked, expired or suspended key (401)',
    meaning: 'A program wasn’t updated, or somebody is trying a leaked key.',
    byDay: true,
  },
  quota_exceeded: {
    label: 'Over quota',
    noun: 'request',
    which: 'beyond the credits of a key (429)',
    meaning: 'A program doesn’t stop at its limit, or the plan is too small for it.',
    byDay: true,
  },
  shed: {
    label: 'Requests shed',
    noun: 'request',
    which: 'refused because of load or an outage (503)',
    meaning: 'If other accounts have none, this one sends more at once than its share.',
    byDay: true,
  },
}

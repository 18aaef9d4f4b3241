/** How far back signals look, except for mail: that it bounced holds until its owner has mail sent again. */
export const SIGNAL_DAYS = 7

/** A sign that an account needs a look. */
export type AccountSignal = {
  account_id: number
  signal: 'new_devices' | 'mail_bounced' | 'ended_keys' | 'quota_exceeded' | 'shed'
  count: number
  /** The beginning of the day for requests, which are counted by day. */
  last_at: Date
}

export const MAIL_FREQUENCIES = ['at_once', 'daily', 'off'] as const

/** When an account gets mail about its alerts. Hours are in its time zone. */
export type MailSettings = {
  frequency: (typeof MAIL_FREQUENCIES)[number]
  timeZone: string
  /** No mail from this hour until `quietTo`; none is quiet if both are equal. */
  quietFrom: number
  quietTo: number
  dailyAt: number
}

export const DEFAULT_MAIL_SETTINGS: MailSettings = {
  frequency: 'at_once',
  timeZone: 'UTC',
  quietFrom: 0,
  quietTo: 0,
  dailyAt: 8,
}

export type Email = {
  to: string
  subject: string
  text: string
  html: string
  /** One-click unsubscribe link (RFC 8058). */
  unsubscribeUrl?: string
  /** How long it may wait for the mail server. Default: 24. */
  expiresInHours?: number
}

export type Email = {
  to: string
  subject: string
  text: string
  html: string
  /** Stops mail of this kind with one request. */
  unsubscribeUrl?: string
  /** Not sent any more after this time; 24 hours unless told. */
  expiresInHours?: number
}

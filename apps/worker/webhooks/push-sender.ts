import type { DuePush } from '@brickmark/core/webhook/push-delivery-commands'
import { PUSH_TTL_SECONDS, toNotification } from '@brickmark/core/webhook/push'
import webPush from 'web-push'
import { PublicHttp, type PostAttempt } from './public-http.ts'

/** What identifies us to push services (RFC 8292). The subject is a mailto: or https: URL where they reach the operator. */
export type VapidKeys = { publicKey: string; privateKey: string; subject: string }

/** Sends encrypted notifications to push services at public addresses only. */
export class PushSender {
  readonly #vapidKeys: VapidKeys
  readonly #http: PublicHttp

  constructor({ allowedNetworks, ...vapidKeys }: VapidKeys & { allowedNetworks: readonly string[] }) {
    this.#vapidKeys = vapidKeys
    this.#http = new PublicHttp(allowedNetworks)
  }

  /** Sends one notification about these events, all of one browser. Never throws: what went wrong is part of the attempt. */
  send(events: readonly [DuePush, ...DuePush[]]): Promise<PostAttempt> {
    return this.#http.post(() => {
      const { url, p256dh, auth } = events[0]
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint: url, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } },
        JSON.stringify(toNotification(events)),
        // An offer can be gone within minutes, so it may wake a sleeping phone.
        { vapidDetails: this.#vapidKeys, TTL: PUSH_TTL_SECONDS, urgency: 'high' },
      )
      return { url, headers, body }
    })
  }

  close(): void {
    this.#http.close()
  }
}

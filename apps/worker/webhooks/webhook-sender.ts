import type { Attempt } from '@brickmark/core/webhook/delivery'
import type { DueDelivery } from '@brickmark/core/webhook/delivery-commands'
import { toMessage } from '@brickmark/core/webhook/message'
import { deriveSecret, messageId, signedHeaders } from '@brickmark/core/webhook/signature'
import { PublicHttp } from './public-http.ts'

/** Sends webhooks to public addresses only. */
export class WebhookSender {
  readonly #key: string
  readonly #http: PublicHttp

  constructor({ key, allowedNetworks }: { key: string; allowedNetworks: readonly string[] }) {
    this.#key = key
    this.#http = new PublicHttp(allowedNetworks)
  }

  /** Sends a message once. Never throws: what went wrong is part of the attempt. */
  send(delivery: DueDelivery): Promise<Attempt> {
    return this.#http.post((at) => {
      const { url, body: content } = toMessage(delivery, delivery.url)
      const body = JSON.stringify(content)
      const secrets = delivery.salts.map((salt) => deriveSecret(this.#key, salt))
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Brickmark-Webhooks/1.0',
        ...signedHeaders({ id: messageId(delivery.id), body, at }, secrets),
      }
      return { url, headers, body }
    })
  }

  close(): void {
    this.#http.close()
  }
}

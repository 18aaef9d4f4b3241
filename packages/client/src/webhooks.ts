/** What an alert is about. */
type AlertKind =
  | 'price_at_most'
  | 'below_value'
  | 'return_at_least'
  | 'new_low'
  | 'sold_out'
  | 'back_in_stock'
  | 'third_party'
  | 'value_moved'
  | 'retiring_soon'
  | 'retired'

/** A message to a webhook endpoint. Amounts are in US dollars; null if they don't apply. */
export type WebhookEvent =
  | {
      type: `alert.${AlertKind}`
      timestamp: string
      data: {
        alert_id: number
        rule_id: number
        item_kind: 'set' | 'minifig'
        item_number: string
        title: string
        retailer: string | null
        retailer_name: string | null
        /** Why you got it, in English. */
        reason: string
        price_usd: number | null
        value_usd: number | null
        previous_usd: number | null
        threshold_usd: number | null
        threshold_pct: number | null
        actual_pct: number | null
      }
    }
  | { type: 'test'; timestamp: string; data: Record<string, never> }

/** The message isn't from Brickmark, was changed on the way, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export type VerifyWebhookOptions = {
  /** How old a message may be, so that nobody can send a recorded one again. Default: 300. */
  toleranceSeconds?: number
}

/** Headers of the request: from `fetch`, or an object as Node gives it. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

const encoder = new TextEncoder()

/**
 * Verifies the signature of a webhook and returns its event. `body` must be the body exactly as it arrived: parse it only
 * afterwards. Throws `WebhookVerificationError` if the message can't be trusted.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = 300 }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('The webhook headers are missing.')
  const age = Date.now() / 1000 - Number(timestamp)
  if (!(Math.abs(age) <= toleranceSeconds))
    throw new WebhookVerificationError('The message is too old, or its time is wrong.')
  const key = await importSecret(secret)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const signed = encoder.encode(`${id}.${timestamp}.${text}`)
  for (const signature of signatures.split(' ')) {
    const bytes = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : undefined
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text) as WebhookEvent
  }
  throw new WebhookVerificationError('No signature matches. Check the secret, and that the body is unchanged.')
}

function readHeader(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = headers[name]
  return Array.isArray(value) ? value[0] : value
}

async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''))
  if (!bytes) throw new TypeError('The secret must be that of the endpoint, starting with whsec_.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

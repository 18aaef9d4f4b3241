import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify, type ECDH } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Notification } from '@brickmark/core/webhook/push'
import type { VapidKeys } from '@brickmark/worker/webhooks/push-sender'

/** Keys of the operator, for tests. */
export function newVapidKeys(): VapidKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
  return { publicKey, privateKey, subject: 'mailto:operator@example.com' }
}

/** A browser as its push service and the page know it. */
export class FakeBrowser {
  readonly endpoint: string
  readonly auth = randomBytes(16)
  readonly #pair: ECDH = createECDH('prime256v1')
  readonly p256dh = this.#pair.generateKeys()
  /** Messages that it got, oldest first. */
  readonly received: { notification: Notification; ttl: number; urgency: string; at: Date }[] = []

  constructor(endpoint: string) {
    this.endpoint = endpoint
  }

  /** Decrypts a message like a browser. */
  decrypt(body: Buffer): string {
    return decrypt(body, { pair: this.#pair, p256dh: this.p256dh, auth: this.auth })
  }
}

/** Decrypts a message by RFC 8291: one record of the content coding aes128gcm (RFC 8188). */
export function decrypt(body: Buffer, { pair, p256dh, auth }: { pair: ECDH; p256dh: Buffer; auth: Buffer }): string {
  const [salt, keyLength] = [body.subarray(0, 16), body[20]!]
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (body.length > 4096 || record.length > body.readUInt32BE(16)) throw new Error('The message is too large.')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey])
  const material = Buffer.from(hkdfSync('sha256', pair.computeSecret(senderKey), auth, info, 32))
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', material, salt, `Content-Encoding: ${purpose}\0`, length))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // The last record ends with a 2 and zeros.
  const end = padded.lastIndexOf(2)
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding is wrong.')
  return padded.subarray(0, end).toString()
}

/** Throws unless the request proves by RFC 8292 that it comes from the owner of this key and is for this service. */
function checkVapid({ authorization = '' }: IncomingHttpHeaders, origin: string, publicKey: string): void {
  const [, token = '', key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (key !== publicKey) throw new Error('The key isn’t the one that the browser subscribed with.')
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ]
  const verifier = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: verifier, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const { aud, exp, sub } = parse(claims)
  const seconds = Number(exp) - Date.now() / 1000
  if (!isSigned || parse(header)['alg'] !== 'ES256') throw new Error('The signature is wrong.')
  if (aud !== origin) throw new Error(`The token is for ${String(aud)}.`)
  if (!(seconds > 0 && seconds <= 86_400)) throw new Error('The token has expired, or is valid for over a day.')
  if (!/^(mailto:|https:)/.test(String(sub))) throw new Error('The token names no contact.')
}

/**
 * A push service on 127.0.0.1 in place of those of browser vendors, which tests can't reach. It checks requests as they do,
 * and decrypts messages as browsers do.
 */
export async function startPushService(publicKey: string) {
  const browsers = new Map<string, FakeBrowser>()
  const problems: string[] = []
  let requests = 0
  let answer = (response: ServerResponse): void => void response.writeHead(201).end()
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests++
    try {
      const body = await buffer(request)
      const browser = browsers.get(request.url!)
      if (!browser) throw new Error('There is no such browser.')
      checkVapid(request.headers, origin(), publicKey)
      const { 'content-encoding': encoding, ttl, urgency } = request.headers
      if (encoding !== 'aes128gcm') throw new Error('The content coding is wrong.')
      const notification = JSON.parse(browser.decrypt(body)) as Notification
      const message = { notification, ttl: Number(ttl), urgency: String(urgency), at: new Date() }
      answer(response)
      if (response.statusCode === 201) browser.received.push(message)
    } catch (error) {
      problems.push((error as Error).message)
      response.writeHead(400).end((error as Error).message)
    }
  }

  const server = createServer((request, response) => void receive(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    server,
    origin: origin(),
    /** What was wrong with requests. */
    problems,
    requests: () => requests,
    newBrowser(): FakeBrowser {
      const path = `/push/${browsers.size + 1}`
      const browser = new FakeBrowser(origin() + path)
      browsers.set(path, browser)
      return browser
    },
    /** Answers valid requests like this from now on. */
    answerWith(status: number, headers: Record<string, string> = {}): void {
      answer = (response) => void response.writeHead(status, headers).end()
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Email } from './email.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts mail that waits in the database, so that a copy of the database doesn't contain links that reset a password. */
export class MailEncryption {
  readonly #key: Buffer

  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'waiting mail', 32))
  }

  encrypt(email: Email): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const text = Buffer.concat([cipher.update(JSON.stringify(email), 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text])
  }

  /** Throws if the secret has changed since. */
  decrypt(content: Buffer): Email {
    const nonce = content.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce)
    decipher.setAuthTag(content.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(content.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return JSON.parse(text.toString()) as Email
  }
}

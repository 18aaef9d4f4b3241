import { createECDH } from 'node:crypto'
import { z } from 'zod'

const HOW_TO = 'run `npm run ops -- push-keys`'

/** The public key that browsers subscribe with, in the form that `ops push-keys` prints. */
export const VapidPublicKey = z.string().regex(/^B[\w-]{86}$/, `must be a public key of 87 characters; ${HOW_TO}`)
export const VapidPrivateKey = z.string().regex(/^[\w-]{43}$/, `must be a private key of 43 characters; ${HOW_TO}`)
/** Where push services reach the operator if our messages cause trouble. */
export const VapidSubject = z
  .string()
  .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'must be like mailto:ops@example.com or https://example.com')

/** Whether these keys, each valid by itself, belong together. */
export function isVapidPair(publicKey: string, privateKey: string): boolean {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
  } catch {
    // Not every number of this length is a private key.
    return false
  }
  return pair.getPublicKey('base64url') === publicKey
}

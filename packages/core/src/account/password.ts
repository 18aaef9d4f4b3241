import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/** A parameter set that OWASP recommends for scrypt: 32 MB and about 0.2 s per guess. */
const SCRYPT_PARAMS: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 }
const KEY_LENGTH = 32

/** Hashes a password for storage as `salt.key`. The salt must be 16 random bytes. */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const key = await deriveKey(password, salt)
  return `${salt.toString('base64url')}.${key.toString('base64url')}`
}

/** Whether the password matches the stored hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [salt = '', key = ''] = stored.split('.')
  const expected = Buffer.from(key, 'base64url')
  const actual = await deriveKey(password, Buffer.from(salt, 'base64url'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  // Keyboards compose accents differently.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, KEY_LENGTH, SCRYPT_PARAMS, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

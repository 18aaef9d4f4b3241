import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

/** One of the settings that OWASP recommends for scrypt: 32 MB and about 0.2 s a guess. */
const SCRYPT_PARAMS: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 }
const KEY_LENGTH = 32

/** The form in which a password is stored: salt and key. The salt is 16 random bytes. */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const key = await deriveKey(password, salt)
  return `${salt.toString('base64url')}.${key.toString('base64url')}`
}

/** Whether this is the password that was stored. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [salt = '', key = ''] = stored.split('.')
  const expected = Buffer.from(key, 'base64url')
  const given = await deriveKey(password, Buffer.from(salt, 'base64url'))
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function deriveKey(password: string, salt: Buffer): Promise<Buffer> {
  // One person's keyboard may compose an accent differently from another's.
  const text = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    scrypt(text, salt, KEY_LENGTH, SCRYPT_PARAMS, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

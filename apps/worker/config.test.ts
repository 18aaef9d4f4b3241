import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { loadWorkerConfig } from './config.ts'

const pair = createECDH('prime256v1')
pair.setPrivateKey('01'.repeat(32), 'hex')
const DATABASE = { DATABASE_URL: 'postgres://localhost/brickmark' }
const PUSH = {
  VAPID_PUBLIC_KEY: pair.getPublicKey('base64url'),
  VAPID_PRIVATE_KEY: pair.getPrivateKey('base64url'),
  VAPID_SUBJECT: 'mailto:ops@example.com',
}

test('push notifications need both keys and a subject, and are off without any', () => {
  expect(loadWorkerConfig(DATABASE).push).toBeUndefined()
  expect(loadWorkerConfig({ ...DATABASE, ...PUSH }).push).toEqual({
    publicKey: PUSH.VAPID_PUBLIC_KEY,
    privateKey: PUSH.VAPID_PRIVATE_KEY,
    subject: PUSH.VAPID_SUBJECT,
    allowedNetworks: [],
  })
  for (const missing of Object.keys(PUSH))
    expect(() => loadWorkerConfig({ ...DATABASE, ...PUSH, [missing]: undefined })).toThrow(
      `${missing} is missing for push notifications`,
    )
})

test('keys of push notifications that don’t belong together are refused', () => {
  const other = createECDH('prime256v1').generateKeys('base64url')
  expect(() => loadWorkerConfig({ ...DATABASE, ...PUSH, VAPID_PUBLIC_KEY: other })).toThrow(
    'VAPID_PUBLIC_KEY doesn’t belong to VAPID_PRIVATE_KEY',
  )
})

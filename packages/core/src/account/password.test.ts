import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

const salt = Buffer.alloc(16, 7)

test('verifies a password regardless of how its accents are composed, and rejects others', async () => {
  const stored = await hashPassword('caf\u00e9 au lait', salt)
  expect(stored).not.toContain('caf')
  expect(await verifyPassword('caf\u00e9 au lait', stored)).toBe(true)
  expect(await verifyPassword('cafe\u0301 au lait', stored)).toBe(true)
  expect(await verifyPassword('caf\u00e9 au lait ', stored)).toBe(false)
})

test('different salts give equal passwords different hashes', async () => {
  expect(await hashPassword('same', salt)).not.toBe(await hashPassword('same', Buffer.alloc(16, 8)))
})

test('malformed stored hashes match no password', async () => {
  for (const stored of ['', '.', 'abc', 'abc.def']) expect(await verifyPassword('', stored)).toBe(false)
})

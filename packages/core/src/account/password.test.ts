import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

const salt = Buffer.alloc(16, 7)

test('a password is known again, however its accents are composed; another is not', async () => {
  const stored = await hashPassword('caf\u00e9 au lait', salt)
  expect(stored).not.toContain('caf')
  expect(await verifyPassword('caf\u00e9 au lait', stored)).toBe(true)
  expect(await verifyPassword('cafe\u0301 au lait', stored)).toBe(true)
  expect(await verifyPassword('caf\u00e9 au lait ', stored)).toBe(false)
})

test('the salt makes equal passwords look different', async () => {
  expect(await hashPassword('same', salt)).not.toBe(await hashPassword('same', Buffer.alloc(16, 8)))
})

test('what is not a stored password matches nothing', async () => {
  for (const stored of ['', '.', 'abc', 'abc.def']) expect(await verifyPassword('', stored)).toBe(false)
})

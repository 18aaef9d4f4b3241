import { expect, test } from 'vitest'
import { SecurityContact, securityTxt } from './security-txt.ts'

test('has the fields that RFC 9116 requires', () => {
  const text = securityTxt('mailto:security@example.com', 'https://api.example.com', new Date('2026-01-01T00:00:00Z'))
  expect(text.split('\n')).toEqual([
    'Contact: mailto:security@example.com',
    'Expires: 2027-01-01T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://api.example.com/.well-known/security.txt',
    '',
  ])
})

test.each([
  ['security@example.com', 'mailto:security@example.com'],
  ['https://example.com/report', 'https://example.com/report'],
])('the contact %s is %s', (setting, contact) => {
  expect(SecurityContact.parse(setting)).toBe(contact)
})

test('rejects other contacts', () => {
  expect(SecurityContact.safeParse('ask us').success).toBe(false)
  expect(SecurityContact.safeParse('http://example.com').success).toBe(false)
})

import { z } from 'zod'

const DAY_MS = 86_400_000

/** Where to report vulnerabilities: an email address or a page. */
export const SecurityContact = z
  .union([z.email().transform((address) => `mailto:${address}`), z.url({ protocol: /^(https|mailto)$/ })], {
    error: 'must be an email address or an https:// address where people report vulnerabilities',
  })
  .optional()

/** The content of /.well-known/security.txt (RFC 9116). It expires a year from now, as scanners expect a date. */
export function securityTxt(contact: string, publicUrl: string | undefined, now = new Date()): string {
  const expires = new Date(now.getTime() + 365 * DAY_MS).toISOString()
  const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en']
  if (publicUrl !== undefined) lines.push(`Canonical: ${new URL('/.well-known/security.txt', publicUrl).href}`)
  return `${lines.join('\n')}\n`
}

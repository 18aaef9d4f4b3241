import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { buildKey, isWellFormedKey } from '@brickmark/core/account/api-key'

/** Scans every committed file for secrets that somebody could use. */

const ROOT = fileURLToPath(new URL('../', import.meta.url))

const PATTERNS: [name: string, pattern: RegExp][] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z\d+/]{40}/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z\d]{36}|github_pat_\w{50,})\b/],
  ['an npm token', /\bnpm_[A-Za-z\d]{36}\b/],
  ['a PyPI token', /\bpypi-[\w-]{50,}/],
  ['a Slack token', /\bxox[abprs]-[\w-]{20,}/],
  ['a Stripe key', /\b[sr]k_live_[A-Za-z\d]{20,}\b/],
  ['a Google key', /\bAIza[\w-]{35}\b/],
  ['a password in a database address', /postgres(?:ql)?:\/\/\w+:(?!\$|…|password|secret|x@)[\w-]{12,}@/],
]

function findSecrets(text: string): string[] {
  const found = PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)
  const keys = text.match(/bmk_live_[\da-f]{48}/g) ?? []
  return keys.some(isWellFormedKey) ? [...found, 'an API key'] : found
}

test('finds what it looks for', () => {
  const apiKey = buildKey(Buffer.alloc(20, 7))
  expect(findSecrets(`key = "${apiKey}"`)).toEqual(['an API key'])
  expect(findSecrets(`token: ghp_${'a1B2'.repeat(9)}`)).toEqual(['a GitHub token'])
  expect(findSecrets(`postgres://brickmark_api:${'h8Kz'.repeat(4)}@db`)).toEqual(['a password in a database address'])
  expect(findSecrets('postgres://brickmark_api:$PASSWORD@db')).toEqual([])
})

test('no committed file contains a secret', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap((file) =>
    findSecrets(readFileSync(`${ROOT}${file}`, 'utf8')).map((secret) => `${file}: ${secret}`),
  )
  expect(found).toEqual([])
})

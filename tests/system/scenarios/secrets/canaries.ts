import { randomBytes } from 'node:crypto'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { buildKey } from '@brickmark/core/account/api-key'
import { PEPPER } from '../../../support/fixtures.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'

/**
 * A secret that must not appear anywhere. Keys are recognizable by their format; other secrets only by their location.
 */
export type Canary = {
  name: string
  text: string
  /** The part of the text that is secret, without any well-known prefix. */
  secret: string
}

/** The secrets used in one round of requests. */
export type Secrets = {
  /** Many active keys, because the database keeps only the last request of each. */
  activeKeys: Canary[]
  /** One active key and keys of every other kind. */
  keys: Canary[]
  others: Canary[]
}

const UNLIMITED = 100_000_000
const CALLERS = 20
const PREFIX = 'bmk_live_'

/** Creates keys of every kind, passwords and a session; new ones each time. */
export async function makeSecrets(environment: TestEnvironment): Promise<Secrets> {
  const activeKeys: Canary[] = []
  while (activeKeys.length < CALLERS) {
    const { key } = await environment.createAccount({ limit: UNLIMITED })
    activeKeys.push(keyCanary('a key', key))
  }
  const { accountId } = await environment.createAccount({ limit: UNLIMITED })
  const revoked = await issueKey(environment.db, [PEPPER], { accountId, name: 'revoked' })
  await revokeApiKey(environment.db, { accountId, keyId: revoked.id, actor: 'system-test' })
  const hobby = await environment.createAccount({ plan: 'hobby' })
  const exhausted = await environment.createAccount({ limit: 1 })
  return {
    activeKeys,
    keys: [
      activeKeys[0]!,
      keyCanary('a revoked key', revoked.key),
      keyCanary('a key without API access', hobby.key),
      keyCanary('an exhausted key', exhausted.key),
      keyCanary('an unknown key', buildKey(randomBytes(20))),
      keyCanary('a mistyped key', `${buildKey(randomBytes(20)).slice(0, -1)}x`),
    ],
    others: [
      makeCanary('a password'),
      // Only a few letters and digits, so it could be mistaken for a word.
      canaryOf('a short password', `Pw${randomBytes(8).toString('hex')}`),
      makeCanary('a session', 'brickmark.session_token='),
    ],
  }
}

export function makeCanary(name: string, prefix = ''): Canary {
  return canaryOf(name, randomBytes(30).toString('base64url'), prefix)
}

export function canaryOf(name: string, secret: string, prefix = ''): Canary {
  return { name, text: prefix + secret, secret }
}

function keyCanary(name: string, key: string): Canary {
  return canaryOf(name, key.slice(PREFIX.length), PREFIX)
}

/**
 * Length of the fragments to search for. The last four characters of a key may be shown so that users can tell their
 * keys apart.
 */
const FRAGMENT_LENGTH = 12
const FRAGMENT_STEP = 6

/** Searches for secrets verbatim, in fragments, in base64 and in hexadecimal, ignoring case. */
export class SecretDetector {
  readonly #forms: { canary: Canary; form: string }[] = []

  add(...canaries: Canary[]): void {
    for (const canary of canaries) {
      for (const form of encodingsOf(canary)) this.#forms.push({ canary, form: form.toLowerCase() })
    }
  }

  /** Returns the names of the secrets in a text, except those that are allowed. */
  find(text: string, allowed: Canary[] = []): string[] {
    const searched = text.toLowerCase()
    const found = this.#forms.filter(({ canary, form }) => !allowed.includes(canary) && searched.includes(form))
    return [...new Set(found.map(({ canary }) => canary.name))]
  }

  /** Self-test: counts known secrets that `find` would miss. Must be 0. */
  undetected(): number {
    const canaries = [...new Set(this.#forms.map(({ canary }) => canary))]
    const encodings = [
      (text: string) => `GET /?key=${text}&x=1`,
      (text: string) => `Basic ${Buffer.from(`${text}:`).toString('base64')}`,
      (text: string) => `\\x${Buffer.from(text).toString('hex')}`,
      (text: string) => text.slice(-30, -4),
    ]
    return canaries.filter((canary) =>
      encodings.some((encode) => !this.find(encode(canary.text)).includes(canary.name)),
    ).length
  }
}

function encodingsOf({ text, secret }: Canary): string[] {
  const secretPart = secret.slice(0, -4)
  const fragments: string[] = []
  for (let offset = 0; offset + FRAGMENT_LENGTH <= secretPart.length; offset += FRAGMENT_STEP)
    fragments.push(secretPart.slice(offset, offset + FRAGMENT_LENGTH))
  const base64 = Buffer.from(text).toString('base64').slice(0, -4)
  return [...fragments, base64, Buffer.from(secretPart).toString('hex')]
}

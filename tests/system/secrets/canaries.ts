import { randomBytes } from 'node:crypto'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { buildKey } from '@brickmark/core/account/api-key'
import { PEPPER } from '../../support/fixtures.ts'
import type { TestEnvironment } from '../test-environment.ts'

/** A secret that must be found nowhere. A key can be told by its form wherever it stands; of others only their place tells. */
export type Canary = {
  name: string
  text: string
  /** What of the text nobody else could have written. */
  secret: string
}

/** What one round of requests is made with. */
export type Secrets = {
  /** Keys in force, many: of each the database keeps the last request only. */
  activeKeys: Canary[]
  /** One of them and keys of every other kind. */
  keys: Canary[]
  others: Canary[]
}

const UNLIMITED = 100_000_000
const CALLERS = 20
const PREFIX = 'bmk_live_'

/** Keys of every kind, a password, a session; new ones each time. */
export async function makeSecrets(stage: TestEnvironment): Promise<Secrets> {
  const activeKeys: Canary[] = []
  while (activeKeys.length < CALLERS) {
    const { key } = await stage.createAccount({ limit: UNLIMITED })
    activeKeys.push(keyCanary('a key', key))
  }
  const { accountId } = await stage.createAccount({ limit: UNLIMITED })
  const revoked = await issueKey(stage.db, [PEPPER], { accountId, name: 'revoked' })
  await revokeApiKey(stage.db, { accountId, keyId: revoked.id, actor: 'prove' })
  const hobby = await stage.createAccount({ plan: 'hobby' })
  const exhausted = await stage.createAccount({ limit: 1 })
  return {
    activeKeys,
    keys: [
      activeKeys[0]!,
      keyCanary('a revoked key', revoked.key),
      keyCanary('a key without a plan', hobby.key),
      keyCanary('an exhausted key', exhausted.key),
      keyCanary('a key that nobody has', buildKey(randomBytes(20))),
      keyCanary('a mistyped key', `${buildKey(randomBytes(20)).slice(0, -1)}x`),
    ],
    others: [
      makeCanary('a password'),
      // Letters and digits only, and few: it could be taken for a word.
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

/** How much of a key may be seen: its last four characters are shown so that people can tell their keys apart. */
const FRAGMENT_LENGTH = 12
const PIECE_EVERY = 6

/** Looks for secrets as they are, in part, in base64 and in hexadecimal, in any case of letters. */
export class SecretDetector {
  readonly #forms: { canary: Canary; form: string }[] = []

  add(...canaries: Canary[]): void {
    for (const canary of canaries) {
      for (const form of encodingsOf(canary)) this.#forms.push({ canary, form: form.toLowerCase() })
    }
  }

  /** The names of the secrets in a text, but for those that may be there. */
  find(text: string, allowed: Canary[] = []): string[] {
    const searched = text.toLowerCase()
    const found = this.#forms.filter(({ canary, form }) => !allowed.includes(canary) && searched.includes(form))
    return [...new Set(found.map(({ canary }) => canary.name))]
  }

  /** How many of its own secrets it would overlook: it must be none. */
  undetected(): number {
    const canaries = [...new Set(this.#forms.map(({ canary }) => canary))]
    const ways = [
      (text: string) => `GET /?key=${text}&x=1`,
      (text: string) => `Basic ${Buffer.from(`${text}:`).toString('base64')}`,
      (text: string) => `\\x${Buffer.from(text).toString('hex')}`,
      (text: string) => text.slice(-30, -4),
    ]
    return canaries.filter((canary) => ways.some((way) => !this.find(way(canary.text)).includes(canary.name))).length
  }
}

function encodingsOf({ text, secret }: Canary): string[] {
  const hidden = secret.slice(0, -4)
  const pieces: string[] = []
  for (let at = 0; at + FRAGMENT_LENGTH <= hidden.length; at += PIECE_EVERY)
    pieces.push(hidden.slice(at, at + FRAGMENT_LENGTH))
  const base64 = Buffer.from(text).toString('base64').slice(0, -4)
  return [...pieces, base64, Buffer.from(hidden).toString('hex')]
}

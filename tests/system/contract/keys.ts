import { randomBytes } from 'node:crypto'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { inventPortfolio, writePortfolio } from '@brickmark/tools/synthetic/index'
import { composeKey } from '@brickmark/core/account/api-key'
import { PEPPER, type TestAccount } from '../../support/fixtures.ts'
import type { Stage } from '../test-environment.ts'
import pg from 'pg'

/** How a request says who it is. */
export type KeyKind = keyof typeof REFUSALS | 'rich' | 'empty' | 'exhausted'

/** What every request with such a key is answered, whatever else it asks. */
export const REFUSALS = {
  none: { status: 401, code: 'MissingApiKey' },
  basic: { status: 401, code: 'MissingApiKey' },
  malformed: { status: 401, code: 'InvalidApiKey' },
  unknown: { status: 401, code: 'InvalidApiKey' },
  revoked: { status: 401, code: 'InvalidApiKey' },
  expired: { status: 401, code: 'InvalidApiKey' },
  hobby: { status: 403, code: 'TierRequired' },
} as const

export type Keys = {
  /** Two accounts whose answers are all known: one with a portfolio, one with none. */
  rich: TestAccount
  empty: TestAccount
  /** The Authorization header of a kind; `salt` makes another of its kind where there are many. */
  header(kind: KeyKind, salt: number): string | undefined
}

const PLENTY = 2_000_000_000

export async function makeKeys(stage: Stage, seed: number): Promise<Keys> {
  const rich = await stage.account({ limit: PLENTY })
  const empty = await stage.account({ limit: PLENTY })
  const hobby = await stage.account({ plan: 'hobby' })
  const poor = await stage.account({ limit: 1 })
  await givePortfolio(stage, rich.accountId, seed)
  const { accountId } = await stage.account()
  const revoked = await issueKey(stage.db, [PEPPER], { accountId, name: 'revoked' })
  await revokeApiKey(stage.db, { accountId, keyId: revoked.id, actor: 'proof' })
  const expired = await issueKey(stage.db, [PEPPER], {
    accountId,
    name: 'expired',
    expiresAt: new Date(Date.now() - 1000),
  })
  await exhaust(stage, poor)
  // Calls of one key are charged one statement after another, so one key alone would set the pace.
  const riches = [rich.key, ...(await moreKeys(stage, rich))]
  const empties = [empty.key, ...(await moreKeys(stage, empty))]
  const fixed: Partial<Record<KeyKind, string>> = {
    hobby: hobby.key,
    exhausted: poor.key,
    revoked: revoked.key,
    expired: expired.key,
  }
  return {
    rich,
    empty,
    header(kind, salt) {
      if (kind === 'none') return undefined
      if (kind === 'basic') return BASIC[salt % BASIC.length]
      if (kind === 'malformed') return malformed(rich.key, salt)
      if (kind === 'unknown') return `Bearer ${composeKey(randomBytes(20))}`
      const text = kind === 'rich' ? pick(riches, salt) : kind === 'empty' ? pick(empties, salt) : fixed[kind]
      return `${salt % 7 === 0 ? 'bearer' : 'Bearer'} ${text}`
    },
  }
}

const KEYS_AN_ACCOUNT = 5

async function moreKeys(stage: Stage, { accountId }: TestAccount): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < KEYS_AN_ACCOUNT - 1)
    keys.push((await issueKey(stage.db, [PEPPER], { accountId, name: 'more' })).key)
  return keys
}

function pick(keys: string[], salt: number): string | undefined {
  return keys[salt % keys.length]
}

const BASIC = ['Basic YTpi', 'Token x', 'bmk_live_x', 'Digest username="x"', 'Bearer_x', 'Negotiate']

function malformed(key: string, salt: number): string {
  const bad = [
    '',
    'x',
    'bmk_live_',
    `${key}0`,
    key.slice(0, -1),
    key.toUpperCase(),
    `${key} ${key}`,
    `"${key}"`,
    key.replace('live', 'test'),
  ]
  const flipped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  return `Bearer ${[...bad, flipped, 'x'.repeat(4000), 'é'][salt % (bad.length + 3)]}`
}

async function givePortfolio(stage: Stage, accountId: number, seed: number): Promise<void> {
  const client = new pg.Client(stage.url)
  await client.connect()
  try {
    await client.query('begin')
    await writePortfolio(client, accountId, inventPortfolio(seed, 'reseller', stage.market, new Date()))
    await client.query('commit')
  } finally {
    await client.end()
  }
}

async function exhaust(stage: Stage, { key }: TestAccount): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${stage.nodes[0]!.origin}/api/v1/catalog/themes`, { headers })
  if (answer.status !== 200) throw new Error(`The first call of a key with one unit answered ${answer.status}.`)
}

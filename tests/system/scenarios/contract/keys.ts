import { randomBytes } from 'node:crypto'
import { issueKey, revokeApiKey } from '@brickmark/core/account/api-key-commands'
import { generatePortfolio, insertPortfolio } from '@brickmark/tools/synthetic/index'
import { buildKey } from '@brickmark/core/account/api-key'
import { PEPPER, type TestAccount } from '../../../support/fixtures.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import pg from 'pg'

/** How a request authenticates. */
export type KeyKind = keyof typeof REJECTED_KEYS | 'rich' | 'empty' | 'exhausted'

/** The response to every request with such a key, whatever else the request contains. */
export const REJECTED_KEYS = {
  none: { status: 401, code: 'MissingApiKey' },
  basic: { status: 401, code: 'MissingApiKey' },
  malformed: { status: 401, code: 'InvalidApiKey' },
  unknown: { status: 401, code: 'InvalidApiKey' },
  revoked: { status: 401, code: 'InvalidApiKey' },
  expired: { status: 401, code: 'InvalidApiKey' },
  hobby: { status: 403, code: 'TierRequired' },
} as const

export type Keys = {
  /** Two accounts whose responses are all known: one with a portfolio, one without. */
  accountWithPortfolio: TestAccount
  accountWithoutPortfolio: TestAccount
  /** Returns the Authorization header for a kind of key; `salt` selects a variant where there are several. */
  header(kind: KeyKind, salt: number): string | undefined
}

const UNLIMITED = 2_000_000_000

export async function makeKeys(environment: TestEnvironment, seed: number): Promise<Keys> {
  const accountWithPortfolio = await environment.createAccount({ limit: UNLIMITED })
  const accountWithoutPortfolio = await environment.createAccount({ limit: UNLIMITED })
  const hobby = await environment.createAccount({ plan: 'hobby' })
  const exhausted = await environment.createAccount({ limit: 1 })
  await addPortfolio(environment, accountWithPortfolio.accountId, seed)
  const { accountId } = await environment.createAccount()
  const revoked = await issueKey(environment.db, [PEPPER], { accountId, name: 'revoked' })
  await revokeApiKey(environment.db, { accountId, keyId: revoked.id, actor: 'system-test' })
  const expired = await issueKey(environment.db, [PEPPER], {
    accountId,
    name: 'expired',
    expiresAt: new Date(Date.now() - 1000),
  })
  await exhaust(environment, exhausted)
  // Calls of one key are charged in sequential statements, so a single key would limit throughput.
  const portfolioKeys = [accountWithPortfolio.key, ...(await createExtraKeys(environment, accountWithPortfolio))]
  const emptyKeys = [accountWithoutPortfolio.key, ...(await createExtraKeys(environment, accountWithoutPortfolio))]
  const fixed: Partial<Record<KeyKind, string>> = {
    hobby: hobby.key,
    exhausted: exhausted.key,
    revoked: revoked.key,
    expired: expired.key,
  }
  return {
    accountWithPortfolio,
    accountWithoutPortfolio,
    header(kind, salt) {
      if (kind === 'none') return undefined
      if (kind === 'basic') return BASIC[salt % BASIC.length]
      if (kind === 'malformed') return malformed(accountWithPortfolio.key, salt)
      if (kind === 'unknown') return `Bearer ${buildKey(randomBytes(20))}`
      const text = kind === 'rich' ? pick(portfolioKeys, salt) : kind === 'empty' ? pick(emptyKeys, salt) : fixed[kind]
      return `${salt % 7 === 0 ? 'bearer' : 'Bearer'} ${text}`
    },
  }
}

const KEYS_PER_ACCOUNT = 5

async function createExtraKeys(environment: TestEnvironment, { accountId }: TestAccount): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < KEYS_PER_ACCOUNT - 1)
    keys.push((await issueKey(environment.db, [PEPPER], { accountId, name: 'more' })).key)
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

async function addPortfolio(environment: TestEnvironment, accountId: number, seed: number): Promise<void> {
  const client = new pg.Client(environment.url)
  await client.connect()
  try {
    await client.query('begin')
    await insertPortfolio(client, accountId, generatePortfolio(seed, 'reseller', environment.market, new Date()))
    await client.query('commit')
  } finally {
    await client.end()
  }
}

async function exhaust(environment: TestEnvironment, { key }: TestAccount): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${environment.nodes[0]!.origin}/api/v1/catalog/themes`, { headers })
  if (response.status !== 200) throw new Error(`The first call of a key with one credit returned ${response.status}.`)
}

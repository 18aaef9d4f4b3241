import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { openDatabase, type Database } from '@brickmark/core/db/database'
import { createAccount } from '@brickmark/core/account/account-commands'
import { buildKey, hashKey } from '@brickmark/core/account/api-key'
import { PEPPER } from '../../support/fixtures.ts'
import type { Client } from '../../support/http-client.ts'
import type { TestEnvironment } from '../test-environment.ts'

const AT_ONCE = 50
const CONNECTIONS = 25

/** The functions that make and end keys, of the service in `root`. */
export async function importKeyModule(root: string) {
  const file = pathToFileURL(join(root, 'packages/core/src/account/api-key-commands.ts'))
  return (await import(file.href)) as typeof import('@brickmark/core/account/api-key-commands')
}

type KeyCode = Awaited<ReturnType<typeof importKeyModule>>

export type CreationResult = {
  /** Of 50 at once, on an account without a key; then again after all were revoked, and again. */
  rounds: number[]
  /** Of 50 rows written at once past the code, straight into slots. */
  directInserts: number
  /** Creations that ended with neither a key nor a reason. */
  failed: number
  /** Nodes and new keys that did not answer 200. */
  notServed: number
}

/** Makes keys of one account at once, more than it may have. */
export async function createKeysConcurrently(
  stage: TestEnvironment,
  code: KeyCode,
  ports: Client[],
): Promise<CreationResult> {
  // Without time limits: they stand in a queue for the account's row.
  const db = openDatabase(new pg.Pool({ connectionString: stage.url, max: CONNECTIONS }))
  try {
    const accountId = await openAccount(db)
    const rounds: number[] = []
    let failed = 0
    let notServed = 0
    for (let round = 0; round < 3; round++) {
      const tries = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => create(db, code, accountId)))
      const made = tries.flatMap((one) => (one.status === 'fulfilled' && one.value !== undefined ? [one.value] : []))
      failed += tries.filter((one) => one.status === 'rejected').length
      rounds.push(made.length)
      for (const { key } of made) notServed += await countUnserved(key, ports)
      for (const { keyId } of made) await code.revokeApiKey(db, { accountId, keyId, actor: 'prove' })
    }
    return { rounds, directInserts: await insertDirectly(db), failed, notServed }
  } finally {
    await db.destroy()
  }
}

const openAccount = (db: Database) => createAccount(db, { name: 'many keys', plan: 'reseller', actor: 'prove' })

async function create(db: Database, { createApiKey }: KeyCode, accountId: number) {
  const key = buildKey(randomBytes(20))
  const result = await createApiKey(db, {
    accountId,
    name: 'one of many',
    hash: hashKey(key, PEPPER),
    pepperVersion: 1,
    last4: key.slice(-4),
    expiresAt: null,
    actor: 'prove',
  })
  return result.created ? { key, keyId: result.id } : undefined
}

async function countUnserved(key: string, ports: Client[]): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const ask = { method: 'GET', target: '/api/v1/catalog/themes', headers }
  const replies = await Promise.all(ports.map((port) => port.request(ask)))
  return replies.filter(({ response }) => response?.status !== 200).length
}

async function insertDirectly(db: Database): Promise<number> {
  const account_id = await openAccount(db)
  const row = (index: number) => ({ account_id, name: 'past the code', last4: '0000', slot: 1 + (index % 5) })
  const insert = (index: number) => db.insertInto('account.api_key').values(row(index)).execute()
  const tries = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => insert(index)))
  return tries.filter((one) => one.status === 'fulfilled').length
}

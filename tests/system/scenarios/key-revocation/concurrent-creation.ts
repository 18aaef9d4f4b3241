import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { openDatabase, type Database } from '@brickmark/core/db/database'
import { createAccount } from '@brickmark/core/account/account-commands'
import { buildKey, hashKey } from '@brickmark/core/account/api-key'
import { PEPPER } from '../../../support/fixtures.ts'
import type { Client } from '../../../support/http-client.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'

const CONCURRENT_CREATIONS = 50
const CONNECTIONS = 25

/** Imports the functions that create and revoke keys from the code in `root`. */
export async function importKeyModule(root: string) {
  const file = pathToFileURL(join(root, 'packages/core/src/account/api-key-commands.ts'))
  return (await import(file.href)) as typeof import('@brickmark/core/account/api-key-commands')
}

type KeyCode = Awaited<ReturnType<typeof importKeyModule>>

export type CreationResult = {
  /** Keys created by 50 concurrent attempts on an account without keys, then twice more after revoking all of them. */
  rounds: number[]
  /** Rows created by 50 concurrent inserts that bypass the code and write slots directly. */
  directInserts: number
  /** Creations that returned neither a key nor a reason. */
  failed: number
  /** Combinations of node and new key that didn't return 200. */
  notServed: number
}

/** Concurrently creates more keys than an account may have. */
export async function createKeysConcurrently(
  environment: TestEnvironment,
  code: KeyCode,
  ports: Client[],
): Promise<CreationResult> {
  // No timeouts: the creations queue for a lock on the account's row.
  const db = openDatabase(new pg.Pool({ connectionString: environment.url, max: CONNECTIONS }))
  try {
    const accountId = await openAccount(db)
    const rounds: number[] = []
    let failed = 0
    let notServed = 0
    for (let round = 0; round < 3; round++) {
      const attempts = await Promise.allSettled(
        Array.from({ length: CONCURRENT_CREATIONS }, () => create(db, code, accountId)),
      )
      const created = attempts.flatMap((attempt) =>
        attempt.status === 'fulfilled' && attempt.value !== undefined ? [attempt.value] : [],
      )
      failed += attempts.filter((attempt) => attempt.status === 'rejected').length
      rounds.push(created.length)
      for (const { key } of created) notServed += await countUnserved(key, ports)
      for (const { keyId } of created) await code.revokeApiKey(db, { accountId, keyId, actor: 'system-test' })
    }
    return { rounds, directInserts: await insertDirectly(db), failed, notServed }
  } finally {
    await db.destroy()
  }
}

const openAccount = (db: Database) => createAccount(db, { name: 'many keys', plan: 'reseller', actor: 'system-test' })

async function create(db: Database, { createApiKey }: KeyCode, accountId: number) {
  const key = buildKey(randomBytes(20))
  const result = await createApiKey(db, {
    accountId,
    name: 'one of many',
    hash: hashKey(key, PEPPER),
    pepperVersion: 1,
    last4: key.slice(-4),
    expiresAt: null,
    actor: 'system-test',
  })
  return result.created ? { key, keyId: result.id } : undefined
}

async function countUnserved(key: string, ports: Client[]): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const request = { method: 'GET', target: '/api/v1/catalog/themes', headers }
  const results = await Promise.all(ports.map((port) => port.request(request)))
  return results.filter(({ response }) => response?.status !== 200).length
}

async function insertDirectly(db: Database): Promise<number> {
  const account_id = await openAccount(db)
  const row = (index: number) => ({ account_id, name: 'inserted directly', last4: '0000', slot: 1 + (index % 5) })
  const insert = (index: number) => db.insertInto('account.api_key').values(row(index)).execute()
  const attempts = await Promise.allSettled(Array.from({ length: CONCURRENT_CREATIONS }, (_, index) => insert(index)))
  return attempts.filter((attempt) => attempt.status === 'fulfilled').length
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { applyRoles, migrate } from '@brickmark/core/db/migrate'
import { describeUnsafeRole, findRoleProblems } from '@brickmark/core/db/role-queries'

/** Roles belong to the whole server, so these tests have one of their own. Nothing here migrates as a superuser. */

let directory: string
let postgres: LocalPostgres
let superuser: pg.Client
let admin: pg.Client
let owner: pg.Client
let databaseUrl: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brickmark-roles-'))
  postgres = await startPostgres(directory)
  superuser = await connect(postgres.url)
  await superuser.query(`create role administrator login createrole createdb password 'x'`)
  await superuser.query(`create role brickmark login password 'x'`)
  await superuser.query('create database brickmark owner administrator')
  databaseUrl = new URL('/brickmark', postgres.url).href
  admin = await connect(urlAs('administrator'))
  owner = await connect(urlAs('brickmark'))
})
afterAll(async () => {
  await Promise.all([superuser.end(), admin.end(), owner.end()])
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
})

function urlAs(role: string): string {
  const url = new URL(databaseUrl)
  url.username = role
  return url.href
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

describe('on a server whose administrator is no superuser', () => {
  test('roles are created, and the schema is migrated by a role that owns nothing else', async () => {
    await expect(migrate(urlAs('brickmark'))).rejects.toThrow('Run packages/core/roles.sql')
    expect(await findRoleProblems(owner)).toContain('brickmark_alerts is missing')
    await applyRoles(admin)
    expect(await findRoleProblems(owner)).toEqual([])
    await admin.query('grant brickmark_owner to brickmark')
    await admin.query('grant create on database brickmark to brickmark_owner')
    await superuser.query('alter database brickmark owner to brickmark_owner')
    expect((await migrate(urlAs('brickmark'))).length).toBeGreaterThan(10)
    expect(await migrate(urlAs('brickmark'))).toEqual([])
  }, 120_000)
})

describe('roles of an earlier version', () => {
  test.each([
    ['alter role brickmark_ops rename to former_ops', 'brickmark_ops is missing'],
    [`alter role brickmark_api set lock_timeout = '200ms'`, 'brickmark_api has lock_timeout 200ms instead of 150ms'],
    [
      'alter role brickmark_worker reset statement_timeout',
      'brickmark_worker has statement_timeout unset instead of 5min',
    ],
    [`alter role brickmark_web set lock_timeout = '1s'`, 'brickmark_web has lock_timeout 1s instead of unset'],
    ['alter role brickmark_owner login', 'brickmark_owner can log in'],
    [
      'revoke brickmark_alerts from brickmark_owner granted by administrator',
      'brickmark_owner isn’t a member of brickmark_alerts',
    ],
  ])('stop a migration with a sentence, and are repaired: %s', async (change, problem) => {
    await superuser.query('begin')
    try {
      await superuser.query(change)
      expect(await findRoleProblems(superuser)).toEqual([problem])
      await applyRoles(superuser)
      expect(await findRoleProblems(superuser)).toEqual([])
    } finally {
      await superuser.query('rollback')
    }
  })

  test('name what to do', async () => {
    await superuser.query(`alter role brickmark_api set lock_timeout = '200ms'`)
    await expect(migrate(urlAs('brickmark'))).rejects.toThrow(
      'brickmark_api has lock_timeout 200ms instead of 150ms. Run `ops roles` or packages/core/roles.sql as an administrator',
    )
    await applyRoles(admin)
    expect(await migrate(urlAs('brickmark'))).toEqual([])
  })
})

describe('a process refuses a role that can do more than its work', () => {
  const describeRole = async (role: string, requiredRole: string) => {
    const db = openDatabase(openPool(urlAs(role), { size: 1 }))
    try {
      return await describeUnsafeRole(db, requiredRole)
    } finally {
      await db.destroy()
    }
  }

  test.each([
    ['postgres', 'it bypasses row-level security'],
    ['brickmark', 'it isn’t the role of this process'],
    ['brickmark_worker', 'it isn’t the role of this process'],
  ])('%s: %s', async (role, why) => {
    expect(await describeRole(role, 'brickmark_api')).toBe(
      `Refusing to start as role ${role}: ${why}. Connect as brickmark_api.`,
    )
  })

  test('and its own role, if somebody gave it more', async () => {
    expect(await describeRole('brickmark_api', 'brickmark_api')).toBeUndefined()
    await superuser.query('grant brickmark_alerts to brickmark_api')
    expect(await describeRole('brickmark_api', 'brickmark_api')).toContain('it is a member of brickmark_alerts')
    await superuser.query('revoke brickmark_alerts from brickmark_api')
    await superuser.query('alter role brickmark_api createrole')
    expect(await describeRole('brickmark_api', 'brickmark_api')).toContain('it may create roles')
    await superuser.query('alter role brickmark_api nocreaterole')
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '@brickmark/core/db/migrate'
import { startPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import { inDatabase, ROLE_PASSWORD, TEMPLATE } from './database.ts'

/**
 * Runs once per test run: starts PostgreSQL 18 from npm, or uses the server at TEST_DATABASE_URL (as a superuser), and
 * migrates a template database that every test file copies.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const externalUrl = process.env['TEST_DATABASE_URL']
  const directory = await mkdtemp(join(tmpdir(), 'brickmark-test-'))
  const server = externalUrl === undefined ? await startPostgres(directory, { settings: FAST_SETTINGS }) : undefined
  const serverUrl = server?.url ?? externalUrl ?? ''
  await prepareTemplate(serverUrl)
  project.provide('serverUrl', serverUrl)
  return async () => {
    await server?.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * Durability is off because losing a test server's data in a crash is fine; the system tests cover the durability of
 * committed charges.
 */
const FAST_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200' }

/** Rebuilds the migrated template database and lets the roles log in. */
export async function prepareTemplate(serverUrl: string): Promise<void> {
  const client = new pg.Client(serverUrl)
  await client.connect()
  await client.query(`drop database if exists ${TEMPLATE}`)
  await client.query(`create database ${TEMPLATE}`)
  await migrate(inDatabase(serverUrl, TEMPLATE))
  for (const role of ['brickmark_api', 'brickmark_worker', 'brickmark_web']) {
    await client.query(`alter role ${role} password '${ROLE_PASSWORD}'`)
  }
  await client.end()
}

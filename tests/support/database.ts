import { randomBytes } from 'node:crypto'
import pg from 'pg'

export const TEMPLATE = 'brickmark_template'
export const ROLE_PASSWORD = 'test'

/** Returns the URL of another database on the same server or servers. */
export function inDatabase(url: string, database: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*)[^?]*/, `$1/${database}`)
}

/** Returns the URL of the same database with one of the application roles. */
export function asRole(url: string, role: 'brickmark_api' | 'brickmark_worker' | 'brickmark_web'): string {
  return url.replace(/^(\w+:\/\/)(?:[^@/]*@)?/, `$1${role}:${ROLE_PASSWORD}@`)
}

export type TestDatabase = { url: string; drop(): Promise<void> }

/** Creates a fresh copy of the template database for one test file. */
export async function createDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `brickmark_${randomBytes(6).toString('hex')}`
  for (const statement of copyStatements(name, TEMPLATE)) await onServer(serverUrl, statement)
  return {
    url: inDatabase(serverUrl, name),
    drop: () => onServer(serverUrl, `drop database ${name} with (force)`),
  }
}

/** Statements that copy a migrated database; PostgreSQL doesn't copy its owner and its privileges. */
export function copyStatements(name: string, template: string): string[] {
  return [
    `create database ${name} template ${template} owner brickmark_owner`,
    `revoke temporary on database ${name} from public`,
    `grant temporary on database ${name} to brickmark_worker`,
  ]
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client(serverUrl)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string
  }
}

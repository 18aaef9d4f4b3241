import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@brickmark/core/db/migrate'

const MIGRATIONS = fileURLToPath(new URL('../../../packages/core/migrations', import.meta.url))
const TABLES = '0008-portfolio.sql'
const PARTITIONS = 16

/**
 * Runs our migrations with the account tables rewritten to 16 hash partitions by account. (PostgreSQL 15 doesn't support
 * identity columns in partitioned tables; a sequence generates the same numbers.)
 */
export async function migratePartitioned(url: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'brickmark-partitioned-'))
  try {
    await cp(MIGRATIONS, directory, { recursive: true })
    for (const name of await readdir(directory)) {
      const file = join(directory, name)
      const migration = await readFile(file, 'utf8')
      // A partitioned table can't get an index concurrently.
      const plain = migration.replaceAll('create index concurrently', 'create index')
      await writeFile(file, name === TABLES ? toPartitionedSql(plain) : plain)
    }
    await migrate(url, directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function toPartitionedSql(migration: string): string {
  return migration.replaceAll(/create table portfolio\.(\w+) \((.*?)\n\);/gs, (_, table: string, columns: string) => {
    const parts = Array.from(
      { length: PARTITIONS },
      (_, n) =>
        `create table portfolio.${table}_${n} partition of portfolio.${table} for values with (modulus ${PARTITIONS}, remainder ${n});`,
    )
    const numbered = columns.replace(
      'generated always as identity',
      `not null default nextval('portfolio.${table}_number')`,
    )
    return [
      `create sequence portfolio.${table}_number;`,
      `create table portfolio.${table} (${numbered}\n) partition by hash (account_id);`,
      ...parts,
    ].join('\n')
  })
}

import { PgBoss } from 'pg-boss'
import { asRole } from './database.ts'

/** Runs `work` with a queue configured like the worker's, but without supervision or scheduling. */
export async function withQueue(databaseUrl: string, work: (boss: PgBoss) => Promise<void>): Promise<void> {
  const boss = new PgBoss({
    connectionString: asRole(databaseUrl, 'brickmark_worker'),
    schema: 'pgboss',
    createSchema: false,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  boss.on('error', () => {})
  await boss.start()
  try {
    await work(boss)
  } finally {
    await boss.stop({ graceful: false })
  }
}

import { defineConfig } from 'vitest/config'

const onPostgres = {
  globalSetup: ['test/support/postgres.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  maxWorkers: 2,
}

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'domain', include: ['src/**/*.test.ts'] } },
      { test: { ...onPostgres, name: 'database', include: ['test/**/*.test.ts'], exclude: ['test/docs/**'] } },
      // Apart, because one PostgreSQL is enough for it.
      { test: { ...onPostgres, name: 'docs', include: ['test/docs/*.test.ts'], testTimeout: 240_000 } },
    ],
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'domain', include: ['src/**/*.test.ts'] } },
      {
        test: {
          name: 'database',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/support/postgres.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})

import { defineConfig } from 'vitest/config'

/** What `npm run mutate` runs against each mutant: the tests of the domain, and those of admission on a PostgreSQL. */
export default defineConfig({
  test: {
    include: ['src/domain/**/*.test.ts', 'test/admission/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    testTimeout: 10_000,
    hookTimeout: 60_000,
  },
})

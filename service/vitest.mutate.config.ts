import { defineConfig } from 'vitest/config'

/** What `npm run mutate` runs against each mutant: the tests that need no database. */
export default defineConfig({ test: { include: ['src/domain/**/*.test.ts'] } })

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const core = fileURLToPath(new URL('packages/core/src', import.meta.url))

/** The tests that `npm run test:mutation` runs against each mutant: the pure rules of core, and admission on a PostgreSQL. */
export default defineConfig({
  // In Stryker's sandbox, node_modules links to the original core: without the alias no mutant of core would be loaded.
  resolve: { alias: [{ find: /^@brickmark\/core\/(.*)$/, replacement: `${core}/$1.ts` }] },
  test: {
    include: [
      'packages/core/src/{primitives,catalog,market,portfolio,account}/**/*.test.ts',
      'apps/api/test/admission/*.test.ts',
    ],
    globalSetup: ['tests/support/global-setup.ts'],
    testTimeout: 10_000,
    hookTimeout: 60_000,
  },
})

import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts', '../../tests/support/global-setup.ts'],
    // On a slow day of a shared machine, checking five pages for accessibility took more than two minutes.
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})

import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { defineConfig } from 'vitest/config'

/** Starts the system tests first. They take the longest, but their files are short, and Vitest starts long files first. */
class SystemTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSystemTest = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/system/')
    return (await super.sort(files)).sort((a, b) => Number(isSystemTest(b)) - Number(isSystemTest(a)))
  }
}

const postgres = {
  globalSetup: ['tests/support/global-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  maxWorkers: 2,
}

export default defineConfig({
  test: {
    sequence: { sequencer: SystemTestsFirst },
    projects: [
      {
        test: {
          name: 'unit',
          // Some hash passwords or try thousands of cases, which takes a while on a busy machine.
          testTimeout: 30_000,
          maxWorkers: 2,
          include: [
            'packages/core/src/**/*.test.ts',
            'apps/{api,ops,worker}/!(test)/**/*.test.ts',
            'apps/{api,ops,worker}/*.test.ts',
            'tools/**/*.test.ts',
            'tests/deploy/{deploy-files,node-flags}.test.ts',
          ],
        },
      },
      {
        test: {
          ...postgres,
          name: 'integration',
          include: [
            'packages/core/test/**/*.test.ts',
            'apps/{api,ops}/test/**/*.test.ts',
            'tests/system/*.test.ts',
            'tests/deploy/observability.test.ts',
            'tests/*.test.ts',
          ],
        },
      },
      // A project of its own, because one PostgreSQL is enough for it.
      { test: { ...postgres, name: 'docs', include: ['apps/docs/test/*.test.ts'], testTimeout: 240_000 } },
    ],
  },
})

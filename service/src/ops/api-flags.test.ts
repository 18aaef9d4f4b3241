import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API_FLAGS } from './api-flags.ts'

test('npm run api starts node as the demo, the proofs and the benchmarks do', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    scripts: { api: string }
  }
  expect(scripts.api).toBe(['node', ...API_FLAGS, 'service/src/bin/api.ts'].join(' '))
})

import { expect, test } from 'vitest'
import { setStatus } from './set-status.ts'

const today = '2026-06-15'

test.each([
  ['not released yet', '2026-06-16', null, 1],
  ['released today', '2026-06-15', null, 2],
  ['with an unknown release date', null, null, 2],
  ['with an announced retirement', '2024-01-01', '2026-06-16', 3],
  ['retired today', '2024-01-01', '2026-06-15', 4],
  ['retired, with an unknown release date', null, '2020-12-31', 4],
  ['with an announced release and retirement', '2026-07-01', '2027-12-31', 1],
])('setStatus of a set %s', (_story, release, retire, status) => {
  expect(setStatus(release, retire, today)).toBe(status)
})

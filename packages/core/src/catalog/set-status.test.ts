import { expect, test } from 'vitest'
import { setStatus } from './set-status.ts'

const today = '2026-06-15'

test.each([
  ['not released yet', '2026-06-16', null, null, 1],
  ['released today', '2026-06-15', null, null, 2],
  ['of which nothing is known', null, null, null, 5],
  ['of an earlier year', null, 2007, null, 5],
  ['of this year', null, 2026, null, 5],
  ['of next year', null, 2027, null, 1],
  ['with an announced retirement', '2024-01-01', 2024, '2026-06-16', 3],
  ['with an announced retirement and an unknown release date', null, 2024, '2026-06-16', 3],
  ['retired today', '2024-01-01', 2024, '2026-06-15', 4],
  ['retired, with an unknown release date', null, null, '2020-12-31', 4],
  ['with an announced release and retirement', '2026-07-01', 2026, '2027-12-31', 1],
])('setStatus of a set %s', (_story, release_date, release_year, retire_date, status) => {
  expect(setStatus({ release_date, release_year, retire_date }, today)).toBe(status)
})

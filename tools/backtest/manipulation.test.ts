import { expect, test } from 'vitest'
import { lastDayOfMonth, monthIndex } from '@brickmark/core/primitives/calendar'
import { simulateAttacks } from './manipulation.ts'
import { generateBacktestMarket } from './market.ts'
import { valueRounds } from './rounds.ts'

const RELEASED_DAYS_AGO = 40

test('only attacks sets that were released before the attack begins', () => {
  const market = generateBacktestMarket(1, 12, 'base')
  const december = monthIndex('2026-12')
  const [round] = [...valueRounds(market, [lastDayOfMonth(december)], 0)]
  for (const { sealed, used } of market.pairs) {
    const { path } = sealed
    const firstDay = round!.day - RELEASED_DAYS_AGO
    const skipped = firstDay - path.firstDay
    sealed.path = used.path = { firstDay, sealed: path.sealed.slice(skipped), used: path.used.slice(skipped) }
  }

  const attack = (days: number) => simulateAttacks(market, round!, { sellers: 1, days }, 1)
  expect(attack(30).length).toBeGreaterThan(0)
  expect(attack(60)).toEqual([])
})

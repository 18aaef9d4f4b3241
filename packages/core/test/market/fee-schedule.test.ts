import { afterAll, beforeAll, expect, test } from 'vitest'
import { netFba, scheduleInForce, type FbaFeeSchedule } from '../../src/market/fees/fba-fees.ts'
import { findFeeSchedules } from '../../src/market/fees/fee-schedule-queries.ts'
import { startTestMarket, type TestMarket } from '@brickmark/tests/support/market'

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
})
afterAll(() => market.stop())

test('the stored schedule knows the peak season of every size tier', async () => {
  const schedules = (await findFeeSchedules(market.db, 'retailer_a')) as FbaFeeSchedule[]
  const schedule = scheduleInForce(schedules, '2026-11-16')!
  const increase = (widthIn: number, heightIn: number, depthIn: number, weightLbs: number) => {
    const box = { widthIn, heightIn, depthIn, weightLbs }
    return netFba(3000, box, schedule, '2026-10-14')! - netFba(3000, box, schedule, '2026-10-15')!
  }
  expect(schedule.peaks![0]!.increases.map(({ tier }) => tier)).toEqual(schedule.sizeTiers.map(({ name }) => name))
  // Small and large standard, small and large bulky, extra large; each with the surcharge of 3.5 %.
  expect([
    increase(15, 12, 0.75, 1),
    increase(18, 14, 8, 20),
    increase(20, 10, 5, 50),
    increase(38, 5, 5, 5),
    increase(60, 10, 5, 20),
  ]).toEqual([23, 108, 107, 107, 291])
})

import { formatDay, monthIndex } from '@brickmark/core/primitives/calendar'
import { elementAt, type Random } from './random.ts'
import type { SetLifecycle } from './types.ts'

const MONTHS_BACK = 72
const MONTHS_AHEAD = 3
const SHELF_MONTHS = 17
/** A retirement is announced this many months ahead. */
export const RETIRING_SOON_MONTHS = 4

const LAUNCH_MONTHS = [0, 2, 5, 7]
const NOVEMBER = 10
const DECEMBER = 11

/** Generates release and retirement dates: 46 % retire in November or December, after a median of 17 months. */
export function generateLifecycle(random: Random, listCents: number, todayMonth: number): SetLifecycle {
  const releaseMonth = snapToLaunch(random, todayMonth + random.int(-MONTHS_BACK, MONTHS_AHEAD))
  const shelf = Math.round(Math.min(60, Math.max(5, random.lognormal(SHELF_MONTHS, 0.42))))
  const retireMonth = snapToYearEnd(random, releaseMonth + shelf, releaseMonth + 5)
  return {
    listCents,
    releaseDay: dayOfMonth(releaseMonth, random.chance(0.8) ? 1 : random.int(2, 28)),
    retireDay: dayOfMonth(retireMonth, retireMonth % 12 === DECEMBER ? 31 : random.int(1, 28)),
    rereleaseDay: null,
  }
}

/** Returns a life cycle that retired 14 months ago and was rereleased 5 months ago. */
export function toRereleased(life: SetLifecycle, todayMonth: number): SetLifecycle {
  return {
    ...life,
    releaseDay: Math.min(life.releaseDay, dayOfMonth(todayMonth - 30, 1)),
    retireDay: dayOfMonth(todayMonth - 14, 28),
    rereleaseDay: dayOfMonth(todayMonth - 5, 1),
  }
}

/** Returns the retirement date as known to the catalog: past, announced or null. */
export function announcedRetirement(life: SetLifecycle, todayDay: number): string | null {
  if (life.rereleaseDay !== null || life.releaseDay > todayDay) return null
  const announced = monthOfDay(todayDay) >= monthOfDay(life.retireDay) - RETIRING_SOON_MONTHS
  return announced ? formatDay(life.retireDay) : null
}

/** Returns the month index of a day number. */
export function monthOfDay(day: number): number {
  return monthIndex(formatDay(day))
}

function dayOfMonth(month: number, day: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, day) / 86_400_000
}

// 60 % of sets are released at one of the four launches of the year: the latest one that isn't after `month`.
function snapToLaunch(random: Random, month: number): number {
  if (!random.chance(0.6)) return month
  const launches = LAUNCH_MONTHS.filter((launch) => launch <= month % 12)
  return month - (month % 12) + elementAt(launches, launches.length - 1)
}

function snapToYearEnd(random: Random, month: number, earliest: number): number {
  if (!random.chance(0.36)) return month
  const start = month - (month % 12)
  const near = month % 12 < 5 ? start - 12 : start
  const end = near + (random.chance(0.35) ? NOVEMBER : DECEMBER)
  return end < earliest ? end + 12 : end
}

import { dayNumber, lastDayOfMonth, monthIndex, monthText } from './month.ts'

export type SetEvent = 'released' | 'retiring_soon' | 'retired' | 'rereleased'

/** A month is frozen on this day of the next one, with what was known the day before. */
const FREEZE_DAY = 8

/** The last month that may be frozen on a day ('YYYY-MM-DD'): the one before, from its 8th day on. */
export function lastDueMonth(today: string): number {
  return monthIndex(today) - (Number(today.slice(8, 10)) >= FREEZE_DAY ? 1 : 2)
}

/** The last day whose knowledge goes into a month. */
export function knownUntil(month: number): number {
  return lastDayOfMonth(month) + FREEZE_DAY - 1
}

/** Fewer sales or sellers than this, and a month shows neither range nor count: a single sale could be read back. */
export function isThin({ sales, sellers }: { sales: number; sellers: number }): boolean {
  return sales < 3 || sellers < 2
}

/** How long before its retirement a set is called retiring soon, when it was announced earlier. */
const SOON_DAYS = 180

/** What happened to a set in a month, given its dates and what had been told of it before. */
export function eventIn(
  month: number,
  { releaseDate, retireDate }: { releaseDate: string | null; retireDate: string | null },
  toldBefore: ReadonlySet<SetEvent>,
): SetEvent | null {
  const name = monthText(month)
  if (releaseDate?.startsWith(name)) return 'released'
  if (retireDate?.startsWith(name)) return 'retired'
  const end = lastDayOfMonth(month)
  const isRetired = retireDate !== null && dayNumber(retireDate) <= end
  if (toldBefore.has('retired') && !toldBefore.has('rereleased') && !isRetired) return 'rereleased'
  const isSoon = retireDate !== null && !isRetired && dayNumber(retireDate) - end <= SOON_DAYS
  const isOut = releaseDate === null || dayNumber(releaseDate) <= end
  return isSoon && isOut && !toldBefore.has('retiring_soon') ? 'retiring_soon' : null
}

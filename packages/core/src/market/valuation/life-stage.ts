/** Release and retirement dates of a set as known to the catalog. Days since 1970-01-01. */
export type LifeDates = { releaseDay: number | null; retireDay: number | null; releaseYear?: number | null }

const MONTH = 30.4
const NEW_DAYS = 90
const YEAR = 365.25
/** Stages of sets of which only the year is known: most of the older ones are retired. */
const YEARS_OLD = [20, 10, 5, 2, 0]
const RETIRED = [48, 24, 12, 7, 4, 2, 0].map((months) => ({ days: months * MONTH, stage: `retired ${months}+` }))

/** Returns a set's life stage on a day. Prices of sets in the same stage behave alike. */
export function lifeStage({ releaseDay, retireDay, releaseYear = null }: LifeDates, day: number): string {
  if (releaseDay === null && releaseYear !== null) {
    const age = Math.floor(1970 + day / YEAR) - releaseYear
    return `released ${YEARS_OLD.find((years) => age >= years) ?? 0}+ years ago`
  }
  if (releaseDay === null) return 'unknown'
  if (retireDay === null) return day < releaseDay + NEW_DAYS ? 'new' : 'available'
  for (const { days, stage } of RETIRED) if (day >= retireDay + days) return stage
  return 'retiring'
}

/** Whether retailers no longer sell the set, so that its price is set by the secondary market alone. */
export function isRetired({ retireDay }: LifeDates, day: number): boolean {
  return retireDay !== null && day >= retireDay
}

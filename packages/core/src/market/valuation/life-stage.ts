/** How far a set is in its life, as far as the catalog knows. Days since 1970-01-01. */
export type LifeDates = { releaseDay: number | null; retireDay: number | null }

const MONTH = 30.4
const NEW_DAYS = 90
const RETIRED = [48, 24, 12, 7, 4, 2, 0].map((months) => ({ days: months * MONTH, stage: `retired ${months}+` }))

/** The stage of life on a day: a set's price behaves as those of its stage do. */
export function lifeStage({ releaseDay, retireDay }: LifeDates, day: number): string {
  if (releaseDay === null) return 'unknown'
  if (retireDay === null) return day < releaseDay + NEW_DAYS ? 'new' : 'available'
  for (const { days, stage } of RETIRED) if (day >= retireDay + days) return stage
  return 'retiring'
}

/** Whether shops no longer sell it, so that only collectors make its price. */
export function isRetired({ retireDay }: LifeDates, day: number): boolean {
  return retireDay !== null && day >= retireDay
}

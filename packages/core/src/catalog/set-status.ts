/** Values of `status_id` in the API contract. */
export const SET_STATUS = { upcoming: 1, available: 2, retiringSoon: 3, retired: 4, unknown: 5 } as const

export type SetStatus = (typeof SET_STATUS)[keyof typeof SET_STATUS]

/** When a set was released and retired: dates as 'YYYY-MM-DD', null if unknown. */
export type SetDates = { release_date: string | null; release_year: number | null; retire_date: string | null }

/**
 * Returns a set's status on a day ('YYYY-MM-DD'). A future retirement date is an announcement. A set is only called available
 * if its release date is known: a source that has no dates doesn't know of retirements either.
 */
export function setStatus({ release_date, release_year, retire_date }: SetDates, today: string): SetStatus {
  if (retire_date !== null && retire_date <= today) return SET_STATUS.retired
  const isUpcoming = release_date === null ? (release_year ?? 0) > Number(today.slice(0, 4)) : release_date > today
  if (isUpcoming) return SET_STATUS.upcoming
  if (retire_date !== null) return SET_STATUS.retiringSoon
  return release_date === null ? SET_STATUS.unknown : SET_STATUS.available
}

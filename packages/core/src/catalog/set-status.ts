/** Values of `status_id` in the API contract. */
export const SET_STATUS = { upcoming: 1, available: 2, retiringSoon: 3, retired: 4 } as const

export type SetStatus = (typeof SET_STATUS)[keyof typeof SET_STATUS]

/** Returns a set's status on a given day (all dates 'YYYY-MM-DD'). A future retirement date is an announcement. */
export function setStatus(releaseDate: string | null, retireDate: string | null, today: string): SetStatus {
  if (retireDate !== null && retireDate <= today) return SET_STATUS.retired
  if (releaseDate !== null && releaseDate > today) return SET_STATUS.upcoming
  return retireDate === null ? SET_STATUS.available : SET_STATUS.retiringSoon
}

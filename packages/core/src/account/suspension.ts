export const MAX_REASON = 500

/** Whether an account may be suspended or restored with this reason. The database checks it too. */
export function isReason(text: string): boolean {
  return text.trim() !== '' && text.trim().length <= MAX_REASON
}

import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** Reloads the page data after a 409: unlike a validation error, a conflict means that the data has changed. */
export function revalidateOnConflict({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 || defaultShouldRevalidate
}

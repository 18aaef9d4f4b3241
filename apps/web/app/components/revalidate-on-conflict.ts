import type { ShouldRevalidateFunctionArgs } from 'react-router'

/** What is wrong in a form does not change its page; that something has changed meanwhile does. */
export function revalidateOnConflict({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return actionStatus === 409 || defaultShouldRevalidate
}

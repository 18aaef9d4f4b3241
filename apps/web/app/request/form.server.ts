import { randomUUID } from 'node:crypto'
import { SUBMISSION_FIELD } from '../ui/form.tsx'

/** Parses a posted form and returns a getter for its text fields; missing fields and files yield ''. */
export async function readForm(request: Request): Promise<(name: string) => string> {
  const form = await request.formData()
  return (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
}

/** A token for a form that must be recorded only once, however often it is submitted. */
export function newSubmission(): string {
  return randomUUID()
}

/** Returns the token of a submitted form. A form without one, which no page of ours contains, counts as new. */
export function readSubmission(form: FormData): string {
  const token = form.get(SUBMISSION_FIELD)
  return typeof token === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(token) ? token : randomUUID()
}

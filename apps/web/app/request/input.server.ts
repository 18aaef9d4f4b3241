import { data } from 'react-router'

/** Parses an id from the URL; throws 404 if it is malformed. */
export function parseId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) throw data('not found', 404)
  return Number(text)
}

/** Trims user input and strips NUL characters, which PostgreSQL cannot store. */
export function cleanText(input: FormDataEntryValue | null): string {
  return typeof input === 'string' ? input.replaceAll('\0', '').trim() : ''
}

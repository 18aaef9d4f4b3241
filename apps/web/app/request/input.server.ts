import { data } from 'react-router'

/** Parses an id from the URL; throws 404 if it is malformed. */
export function parseId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) throw data('not found', 404)
  return Number(text)
}

/** Parses how many rows a page skips; 0 if that is missing or malformed. */
export function parseOffset(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0
}

/** Trims user input and strips NUL characters, which PostgreSQL cannot store. */
export function cleanText(input: FormDataEntryValue | null): string {
  return typeof input === 'string' ? input.replaceAll('\0', '').trim() : ''
}

/**
 * Formats a value as JSON that PostgreSQL can store as `jsonb`, whatever text people put into it: NUL and half of a surrogate
 * pair, which it can't store, become U+FFFD.
 */
export function toJsonb(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? toStorableText(part) : part))
}

/** Replaces what PostgreSQL can't store in text. */
function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}')
}

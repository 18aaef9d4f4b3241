import type { z } from 'zod'
import { closestMatch } from './did-you-mean.ts'

/** Our parameter names, with the names that other APIs use for them. */
const PARAMETER_SYNONYMS: Record<string, string[]> = {
  limit: ['count', 'max', 'page_size', 'pagesize', 'per_page', 'perpage', 'size', 'top'],
  offset: ['cursor', 'page', 'page_number', 'skip', 'start'],
  q: ['name', 'query', 'search', 'term', 'text', 'title'],
  set: ['number', 'set_number'],
  upc: ['barcode', 'ean', 'gtin'],
  brickfolio_id: ['collection', 'collection_id', 'id'],
  since: ['after', 'from', 'updated_since'],
  minifigs: ['figs', 'figures'],
}

const CREDENTIAL_NAMES = /^(x[-_])?(api[-_]?key|key|token|access[-_]?token|authorization)$/i

export type Part = 'Path' | 'Query' | 'Body'

const nounOf = (part: Part) => (part === 'Body' ? 'field' : 'parameter')

/** Explains what is wrong with a request, in one or two sentences for the developer who wrote it. */
export function validationMessage(part: Part, error: z.ZodError, value: unknown): string {
  const noun = nounOf(part)
  const [issue] = error.issues
  const [name, index] = issue?.path ?? []
  if (name === undefined)
    return part === 'Body' ? `Request body ${issue?.message ?? 'is invalid'}.` : (issue?.message ?? 'Invalid query.')
  const given = index === undefined ? getProperty(value, name) : getProperty(getProperty(value, name), index)
  if (part === 'Query' && Array.isArray(given)) {
    return `The parameter \`${String(name)}\` was provided ${given.length} times. Provide it once.`
  }
  const path = index === undefined ? String(name) : `${String(name)}[${String(index)}]`
  return `The ${noun} \`${path}\` ${issue?.message ?? 'is invalid'}${quoteGivenValue(given)}.`
}

/** How many unknown names a message lists: looking for more of them, and for similar names, takes time. */
const MAX_UNKNOWN_KEYS = 5

/**
 * Explains which names of a query or body aren't allowed; undefined if all are. Stops at the first few, before anything else is
 * validated: a body can have thousands.
 */
export function unknownNamesMessage(part: Part, value: unknown, allowed: string[]): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const unknown: string[] = []
  for (const key in value) {
    if (allowed.includes(key)) continue
    unknown.push(key)
    if (unknown.length > MAX_UNKNOWN_KEYS) break
  }
  return unknown.length === 0 ? undefined : describeUnknownNames(nounOf(part), unknown, allowed)
}

function describeUnknownNames(noun: string, unknownNames: string[], allowed: string[]): string {
  const keys = unknownNames.slice(0, MAX_UNKNOWN_KEYS).map((key) => key.slice(0, 60))
  const unknown = keys.map((key) => `\`${key}\``).join(', ') + (unknownNames.length > keys.length ? ' and more' : '')
  const start = `Unknown ${noun}${keys.length > 1 ? 's' : ''} ${unknown}.`
  const known = allowed.length === 0 ? `This endpoint does not accept ${noun}s.` : `Allowed: ${allowed.join(', ')}.`
  if (keys.some((key) => CREDENTIAL_NAMES.test(key))) {
    return `${start} Pass your API key in the \`Authorization: Bearer <API_KEY>\` header, never in the URL. ${known}`
  }
  const suggestions = new Set(keys.flatMap((key) => closestMatch(key, allowed) ?? findBySynonym(key, allowed) ?? []))
  if (suggestions.size === 0) return `${start} ${known}`
  return `${start} Did you mean ${Array.from(suggestions, (key) => `\`${key}\``).join(' and ')}? ${known}`
}

function findBySynonym(key: string, allowed: string[]): string | undefined {
  return allowed.find((name) => PARAMETER_SYNONYMS[name]?.includes(key.toLowerCase()))
}

function getProperty(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
}

/** Quotes the given value if it is short enough to be recognized. */
function quoteGivenValue(given: unknown): string {
  const short = typeof given === 'number' || (typeof given === 'string' && given !== '' && given.length <= 60)
  return short ? ` (got \`${given}\`)` : ''
}

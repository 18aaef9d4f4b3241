import type { IncomingHttpHeaders } from 'node:http'
import type { Quota } from '@brickmark/core/account/quota'

const EXPECTED_HEADER = '`Authorization: Bearer <API_KEY>`'

/** Returns the message for a request without a bearer header: what it sent instead, if anything, and what to send. */
export function missingKeyMessage(headers: IncomingHttpHeaders): string {
  const { authorization = '' } = headers
  if (authorization.startsWith('bmk_')) return `Missing \`Bearer\` before the API key. Use ${EXPECTED_HEADER}.`
  const [scheme = '', ...rest] = authorization.split(' ')
  // A single word may be the key itself, so it isn't quoted.
  if (rest.length > 0 && /^[\w-]{1,20}$/.test(scheme))
    return `Unsupported authorization scheme \`${scheme}\`. Use ${EXPECTED_HEADER}.`
  const other = ['x-api-key', 'api-key', 'apikey'].find((name) => headers[name] !== undefined)
  if (other !== undefined) return `Pass your API key as ${EXPECTED_HEADER}, not in \`${other}\`.`
  return `Missing API key. Pass it as ${EXPECTED_HEADER}.`
}

/** Same message for unknown, expired and revoked keys, so that probing reveals nothing. */
export const INVALID_KEY_MESSAGE =
  'Invalid API key. It may be mistyped, incomplete, expired or revoked. Keys start with `bmk_live_` and are 57 characters long.'

/** Returns the message for an exceeded quota: cost, usage and when the quota resets. */
export function quotaExceededMessage({ limit, remaining, reset }: Quota, cost: number, retryAfter: number): string {
  const costText = cost === 1 ? '1 credit' : `${cost} credits`
  return (
    `Daily quota exceeded. This request costs ${costText}, but this API key has ${remaining} of ${limit} credits remaining. ` +
    `Your quota resets at ${reset} (in ${formatDuration(retryAfter)}). See the Usage page in your account for details.`
  )
}

function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

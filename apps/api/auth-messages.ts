import type { IncomingHttpHeaders } from 'node:http'
import type { Quota } from '@brickmark/core/account/quota'

const EXPECTED_HEADER = '`Authorization: Bearer <API_KEY>`'

/** Returns the message for a request without a bearer header: what it sent instead, if anything, and what to send. */
export function missingKeyMessage(headers: IncomingHttpHeaders): string {
  const { authorization = '' } = headers
  if (authorization.startsWith('bmk_')) return `The word \`Bearer\` is missing before the key: send ${EXPECTED_HEADER}.`
  const [scheme = '', ...rest] = authorization.split(' ')
  // A single word may be the key itself, so it isn't quoted.
  if (rest.length > 0 && /^[\w-]{1,20}$/.test(scheme))
    return `The header is \`Authorization: ${scheme} …\`; it must be ${EXPECTED_HEADER}.`
  const other = ['x-api-key', 'api-key', 'apikey'].find((name) => headers[name] !== undefined)
  if (other !== undefined) return `Send your API key in the header ${EXPECTED_HEADER}, not in \`${other}\`.`
  return `Send your API key in the header ${EXPECTED_HEADER}.`
}

/** Same message for unknown, expired and revoked keys, so that probing reveals nothing. */
export const INVALID_KEY_MESSAGE =
  'This API key is not valid. A key is `bmk_live_` and 48 characters of 0-9 and a-f, 57 in all; yours may be mistyped, cut short, expired or revoked.'

/** Returns the message for an exceeded quota: cost, usage and when the quota resets. */
export function quotaExceededMessage({ limit, remaining, reset }: Quota, cost: number, retryAfter: number): string {
  const costText = cost === 1 ? '1 unit' : `${cost} units`
  return (
    `This request costs ${costText}, and this key has used ${limit - remaining} of its ${limit} today: ${remaining} left. ` +
    `The allowance resets at ${reset}, in ${formatDuration(retryAfter)}. The Usage page of your account shows where the units went.`
  )
}

function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

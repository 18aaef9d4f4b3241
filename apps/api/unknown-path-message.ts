import { closestMatch } from './did-you-mean.ts'
import type { AnyEndpoint } from './endpoint.ts'

/** What to say about a path under /api/v1 that nobody serves, or not under this method. */
export function unknownPathMessage(
  method: string,
  path: string,
  endpoints: readonly AnyEndpoint[],
  allow: string | undefined,
): string {
  const start = `There is no ${method} ${path.slice(0, 100)}`
  if (allow !== undefined) return `${start}: use ${allow}.`
  const segments = path.replace(/^\/api\/v1\/*|\/+$/g, '').split('/')
  // A set's number is no slip: where a path has a parameter, whatever stands there is right.
  const pathsByExample = new Map(
    endpoints.map(({ path }) => [path.slice(1).replace('{number}', segments[1] ?? '{number}'), path] as const),
  )
  const suggestion = pathsByExample.get(closestMatch(segments.join('/'), [...pathsByExample.keys()]) ?? '')
  return suggestion === undefined
    ? `${start}. Every path is listed at /docs/endpoints.`
    : `${start}. Did you mean \`/api/v1${suggestion}\`?`
}

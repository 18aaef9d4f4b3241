import { closestMatch } from './did-you-mean.ts'
import type { AnyEndpoint } from './endpoint.ts'

/** Converts a path template like `/set/{number}` to a pattern of the paths it stands for, without the prefix of the API. */
export function toPathRegExp(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** Returns the message for a path that doesn't exist in an API, or not for this method. */
export function unknownPathMessage(
  method: string,
  path: string,
  { prefix, endpoints }: { prefix: string; endpoints: readonly AnyEndpoint[] },
  allow: string | undefined,
): string {
  const shortPath = path.slice(0, 100)
  if (allow !== undefined) return `${method} is not supported for ${shortPath}. Use ${allow}.`
  const start = `Unknown endpoint: ${method} ${shortPath}`
  const isEndpoint = endpoints.some((endpoint) => toPathRegExp(endpoint.path).test(path))
  if (isEndpoint) return `${start}. Did you mean \`${prefix}${shortPath}\`?`
  const segments = path
    .replace(prefix, '')
    .replaceAll(/^\/+|\/+$/g, '')
    .split('/')
  // Path parameters accept any value, so only the rest of the path is compared.
  const pathsByExample = new Map(
    endpoints.map(({ path }) => [path.slice(1).replace('{number}', segments[1] ?? '{number}'), path] as const),
  )
  const suggestion = pathsByExample.get(closestMatch(segments.join('/'), [...pathsByExample.keys()]) ?? '')
  return suggestion === undefined
    ? `${start}. See /docs/endpoints for all endpoints.`
    : `${start}. Did you mean \`${prefix}${suggestion}\`?`
}

/**
 * Returns the path and query of a request target. Clients may also send a whole URL, as if to a proxy (RFC 9112, 3.2.2);
 * anything else is left for the routes to reject.
 */
export function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target
  const url = URL.parse(target)
  return url === null || !/^https?:$/.test(url.protocol) ? `/${target}` : url.pathname + url.search
}

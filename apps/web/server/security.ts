import type { IncomingMessage } from 'node:http'

/** Internal header that carries the client IP to the rate limiter. The server overwrites whatever the client sent. */
export const CLIENT_IP_HEADER = 'x-client-address'

/**
 * Security headers for every response. Scripts run only with this response's nonce or from our own files; style
 * attributes are allowed because the positions of menus and chart elements are computed.
 */
export function securityHeaders(nonce: string, secure: boolean): Record<string, string> {
  const policy = [
    `default-src 'none'`,
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: https:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // With no-referrer, browsers would send `Origin: null`, which isSameOriginRequest rejects.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

/** CSRF check: true for GET and HEAD, and for other methods only if the request comes from our own origin. */
export function isSameOriginRequest(request: IncomingMessage, origin: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const originHeader = request.headers.origin
  return originHeader === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : originHeader === origin
}

/**
 * Returns the client IP for rate limiting: the socket's peer, or the last X-Forwarded-For entry if the proxy is
 * trusted.
 */
export function clientIp(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined
  const last = [forwarded].flat().join(',').split(',').at(-1)?.trim()
  return last || (request.socket.remoteAddress ?? '')
}

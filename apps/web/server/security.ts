import type { IncomingMessage } from 'node:http'

/** Carries the client's address from the server to the rate limits. The server sets it, whatever a client sent. */
export const CLIENT_IP_HEADER = 'x-client-address'

/**
 * The headers of every answer, whatever it is. Scripts run only with this answer's nonce or from our own files;
 * style attributes are allowed because the positions of menus and chart parts are computed.
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
    // With no-referrer browsers would send `Origin: null`, which the check below refuses.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

/** Whether a request that may change something comes from one of our own pages. */
export function isSameOriginRequest(request: IncomingMessage, origin: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const originHeader = request.headers.origin
  return originHeader === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : originHeader === origin
}

/** Whose request it is, for rate limits: the connection's other end, or what a proxy of ours says. */
export function clientIp(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined
  const last = [forwarded].flat().join(',').split(',').at(-1)?.trim()
  return last || (request.socket.remoteAddress ?? '')
}

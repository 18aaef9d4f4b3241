import type { IncomingMessage } from 'node:http'
import type { FastifyHelmetOptions } from '@fastify/helmet'
import type { WebConfig } from './config.ts'

/** Carries the client's address from the server to the rate limits. The server sets it, whatever a client sent. */
export const CLIENT_IP_HEADER = 'x-client-address'

/** Whether a page reads barcodes with the camera. */
function usesCamera(url = ''): boolean {
  return /^\/collections\/\d+\/add\/?(\?|$)/.test(url)
}

/** The device features that a page may use. */
export function permissionsPolicy(url: string): string {
  return `camera=(${usesCamera(url) ? 'self' : ''}), geolocation=(), microphone=(), payment=()`
}

/**
 * The security headers of every response. Scripts run only with the nonce of the response or from our own files; style
 * attributes are allowed because menus and charts compute positions. In development, Vite adds styles of its own, so
 * violations are only reported.
 */
export function helmetOptions({ publicUrl, pictureHosts }: WebConfig, isDevelopment = false): FastifyHelmetOptions {
  return {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      reportOnly: isDevelopment,
      directives: {
        defaultSrc: ["'none'"],
        // Where the browser can't read barcodes, WebAssembly does.
        scriptSrc: [({ url }) => (usesCamera(url) ? "'self' 'wasm-unsafe-eval'" : "'self'")],
        styleSrc: ["'self'"],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', ...pictureHosts],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    // With no-referrer, browsers would send `Origin: null`, which isSameOriginRequest rejects.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: publicUrl.startsWith('https:') ? { maxAge: 31_536_000, includeSubDomains: true } : false,
  }
}

/** Whether a request that may change something comes from one of our own pages. */
export function isSameOriginRequest(request: IncomingMessage, origin: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true
  const originHeader = request.headers.origin
  return originHeader === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : originHeader === origin
}

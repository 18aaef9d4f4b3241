import type { AnyEndpoint } from '@brickmark/api/endpoint'
import { extensionRoutes } from '@brickmark/api/routes/extensions/index'
import { EXTENSIONS_PREFIX } from '@brickmark/api/routes/extensions/prefix'
import { routes } from '@brickmark/api/routes/index'
import type { Database } from '@brickmark/core/db/database'
import { addSet } from './fixtures.ts'

/** Adds the set and the minifig that the valid requests below refer to. */
export async function seedForRequests(db: Database): Promise<void> {
  await addSet(db, { set_number: '90001-1', title: 'Tidewater Lighthouse' })
  await db.insertInto('catalog.minifig').values({ minifig_number: 'hbr001', name: 'Lighthouse Keeper' }).execute()
}

export type ValidRequest = {
  endpoint: AnyEndpoint
  method: 'GET' | 'POST'
  /** Relative to /api/v1, or from /api for extensions. */
  path: string
  cost: number
  body?: string
}

/** One valid request per endpoint of v1; each costs 1. */
export const validRequests = routes.map((endpoint) => toRequest(endpoint))

/** One valid request per extension. */
export const extensionRequests = extensionRoutes.map((endpoint) => toRequest(endpoint, EXTENSIONS_PREFIX))

function toRequest(endpoint: AnyEndpoint, prefix = ''): ValidRequest {
  const number = endpoint.path.startsWith('/minifig') ? 'hbr001' : '90001-1'
  const query = {
    '/catalog/sets/search': '?q=tide',
    '/catalog/minifigs/search': '?q=keeper',
    '/retail-prices': '?set=90001',
  }
  const { path, method, body, cost } = endpoint
  return {
    endpoint,
    method,
    path: prefix + path.replace('{number}', number) + (query[path as keyof typeof query] ?? ''),
    cost: typeof cost === 'number' ? cost : 1,
    ...(body && { body: JSON.stringify({ sets: ['90001-1'] }) }),
  }
}

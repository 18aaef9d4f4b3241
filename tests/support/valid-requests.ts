import type { AnyEndpoint } from '@brickmark/api/endpoint'
import { routes } from '@brickmark/api/routes/index'
import type { Database } from '@brickmark/core/db/database'
import { addSet } from './fixtures.ts'

/** Adds the set and the minifig that the valid requests below refer to. */
export async function seedForRequests(db: Database): Promise<void> {
  await addSet(db, { set_number: '90001-1', title: 'Tidewater Lighthouse' })
  await db.insertInto('catalog.minifig').values({ minifig_number: 'hbr001', name: 'Lighthouse Keeper' }).execute()
}

export type ValidRequest = { endpoint: AnyEndpoint; method: 'GET' | 'POST'; path: string; body?: string }

/** One valid request per route; each costs 1. */
export const validRequests: ValidRequest[] = routes.map((endpoint) => {
  const number = endpoint.path.startsWith('/minifig') ? 'hbr001' : '90001-1'
  const query = {
    '/catalog/sets/search': '?q=tide',
    '/catalog/minifigs/search': '?q=keeper',
    '/retail-prices': '?set=90001',
  }
  const path = endpoint.path.replace('{number}', number) + (query[endpoint.path as keyof typeof query] ?? '')
  return {
    endpoint,
    method: endpoint.method,
    path,
    ...(endpoint.body && { body: JSON.stringify({ sets: ['90001-1'] }) }),
  }
})

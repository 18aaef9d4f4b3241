import { data, type MiddlewareFunction } from 'react-router'
import { requireUser } from './context.ts'

/**
 * Restricts routes to operators: responds 404 to all other users. The database checks the operator flag independently.
 */
export const requireAdmin: MiddlewareFunction<Response> = async ({ context }) => {
  if (!requireUser(context).operator) throw data('not found', 404)
}

/** Parses the `offset` query parameter; 0 if it is missing or invalid. */
export function parseOffset(request: Request): number {
  const offsetParam = new URL(request.url).searchParams.get('offset') ?? ''
  return /^\d{1,9}$/.test(offsetParam) ? Number(offsetParam) : 0
}

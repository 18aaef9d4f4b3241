import { data, type MiddlewareFunction } from 'react-router'
import { requireUser } from './context.ts'

/** For operators only. To everybody else these pages do not exist; the database refuses them once more by itself. */
export const requireAdmin: MiddlewareFunction<Response> = async ({ context }) => {
  if (!requireUser(context).operator) throw data('not found', 404)
}

/** The part of a list that an address asks for. */
export function parseOffset(request: Request): number {
  const offsetParam = new URL(request.url).searchParams.get('offset') ?? ''
  return /^\d{1,9}$/.test(offsetParam) ? Number(offsetParam) : 0
}

import { data, type MiddlewareFunction } from 'react-router'
import { signedIn } from './context.ts'

/** For operators only. To everybody else these pages do not exist; the database refuses them once more by itself. */
export const requireOperator: MiddlewareFunction<Response> = async ({ context }) => {
  if (!signedIn(context).operator) throw data('not found', 404)
}

/** The part of a list that an address asks for. */
export function offsetOf(request: Request): number {
  const asked = new URL(request.url).searchParams.get('offset') ?? ''
  return /^\d{1,9}$/.test(asked) ? Number(asked) : 0
}

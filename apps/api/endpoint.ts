import type { z } from 'zod'
import type { Catalog } from './catalog/catalog.ts'
import type { Database } from '@brickmark/core/db/database'
import type { Written } from './schemas/preserialized-json.ts'

/** What a handler may read: the shared catalog in memory, the private tables through row-level security. */
export type Sources = { catalog: Catalog; db: Database }

/** A valid request, and for whom and when it is answered. */
type Input<P, Q, B> = { params: P; query: Q; body: B; accountId: number; now: Date }

type Shape = z.ZodType

/**
 * One endpoint, whole: its address, its price, what it takes and what it gives. Key, quota, envelope, headers and
 * errors are the same for all and stand in `serve.ts`.
 */
export type Endpoint<P extends z.ZodObject, Q extends z.ZodObject, B extends Shape, D extends Shape> = {
  method: 'GET' | 'POST'
  /** As in the contract, with `{number}` for a parameter. */
  path: string
  operationId: string
  tag: 'Catalog' | 'Retail prices' | 'Portfolio'
  summary: string
  description: string
  /** Quota units: fixed, or counted from the request. */
  price: number | ((sources: Sources, input: Input<z.output<P>, z.output<Q>, z.output<B>>) => number)
  params: P
  query: Q
  body?: B
  data: D
  /** Whether the resource asked for may not exist. */
  mayBeMissing?: boolean
  /** An answer to show in the reference. */
  example: z.input<D>
  handle(
    sources: Sources,
    input: Input<z.output<P>, z.output<Q>, z.output<B>>,
  ): z.input<D> | Written | Promise<z.input<D> | Written>
}

// Inside, routes are kept in one list whatever their shapes are.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any>

/** Defines an endpoint and refuses one that would accept parameters it does not know. */
export function endpoint<P extends z.ZodObject, Q extends z.ZodObject, B extends Shape, D extends Shape>(
  definition: Endpoint<P, Q, B, D>,
): Endpoint<P, Q, B, D> {
  for (const part of [definition.params, definition.query, definition.body]) {
    if (part && !isClosed(part)) throw new Error(`${definition.method} ${definition.path} has an open schema`)
  }
  return definition
}

function isClosed(shape: Shape): boolean {
  const { catchall } = shape._zod.def as { catchall?: Shape }
  return catchall?._zod.def.type === 'never'
}

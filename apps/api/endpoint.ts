import type { z } from 'zod'
import type { Catalog } from './catalog/catalog.ts'
import type { Database } from '@brickmark/core/db/database'
import type { PreserializedJson } from './schemas/preserialized-json.ts'

/** What a handler may read: the shared catalog in memory, the private tables through row-level security. */
export type HandlerContext = { catalog: Catalog; db: Database }

/** A valid request, and for whom and when it is answered. */
type HandlerInput<P, Q, B> = { params: P; query: Q; body: B; accountId: number; now: Date }

type Schema = z.ZodType

/**
 * One endpoint, whole: its address, its price, what it takes and what it gives. Key, quota, envelope, headers and
 * errors are the same for all and stand in `serve.ts`.
 */
export type Endpoint<P extends z.ZodObject, Q extends z.ZodObject, B extends Schema, D extends Schema> = {
  method: 'GET' | 'POST'
  /** As in the contract, with `{number}` for a parameter. */
  path: string
  operationId: string
  tag: 'Catalog' | 'Retail prices' | 'Portfolio'
  summary: string
  description: string
  /** Quota units: fixed, or counted from the request. */
  cost: number | ((sources: HandlerContext, input: HandlerInput<z.output<P>, z.output<Q>, z.output<B>>) => number)
  params: P
  query: Q
  body?: B
  data: D
  /** Whether the resource asked for may not exist. */
  canReturn404?: boolean
  /** An answer to show in the reference. */
  example: z.input<D>
  handle(
    sources: HandlerContext,
    input: HandlerInput<z.output<P>, z.output<Q>, z.output<B>>,
  ): z.input<D> | PreserializedJson | Promise<z.input<D> | PreserializedJson>
}

// Inside, routes are kept in one list whatever their shapes are.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any>

/** Defines an endpoint and refuses one that would accept parameters it does not know. */
export function defineEndpoint<P extends z.ZodObject, Q extends z.ZodObject, B extends Schema, D extends Schema>(
  definition: Endpoint<P, Q, B, D>,
): Endpoint<P, Q, B, D> {
  for (const part of [definition.params, definition.query, definition.body]) {
    if (part && !isStrict(part)) throw new Error(`${definition.method} ${definition.path} has an open schema`)
  }
  return definition
}

function isStrict(shape: Schema): boolean {
  const { catchall } = shape._zod.def as { catchall?: Schema }
  return catchall?._zod.def.type === 'never'
}

import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import type { Catalog } from './catalog/catalog.ts'
import type { Database } from '@brickmark/core/db/database'
import type { FileSlice } from './file-slice.ts'
import type { PreserializedJson } from './schemas/preserialized-json.ts'

/** Data that handlers can read: the shared catalog in memory, and private tables through row-level security. */
export type HandlerContext = { catalog: Catalog; db: Database }

/** The validated request, the account and the key that sent it and the current time. */
type HandlerInput<P, Q, B> = {
  params: P
  query: Q
  body: B
  headers: IncomingHttpHeaders
  accountId: number
  keyId: number
  now: Date
}

type Schema = z.ZodType

/**
 * The complete definition of an endpoint: its path, its cost, and the schemas of its input and its data.
 * Authentication, quota, envelope, headers and errors are the same for all endpoints; see `request-handler.ts`.
 */
export type Endpoint<P extends z.ZodObject, Q extends z.ZodObject, B extends Schema, D extends Schema> = {
  method: 'GET' | 'POST'
  /** Path template as in the contract, with parameters like `{number}`. */
  path: string
  operationId: string
  tag: 'Catalog' | 'Retail prices' | 'Portfolio' | 'Usage'
  /** Whether the handler reads rows of the account, and so competes for a connection with the account's other requests. */
  readsAccountData?: boolean
  summary: string
  description: string
  /** The content type of the `FileSlice` that it sends; undefined for JSON. */
  sendsFile?: string
  /** Cost in credits: fixed, or computed from the request. A file costs what its size does, but at least this much must be left. */
  cost: number | ((context: HandlerContext, input: HandlerInput<z.output<P>, z.output<Q>, z.output<B>>) => number)
  params: P
  query: Q
  body?: B
  data: D
  /** Whether the requested resource may not exist. */
  canReturn404?: boolean
  /** Example of the data for the API reference. */
  example: z.input<D>
  handle(
    context: HandlerContext,
    input: HandlerInput<z.output<P>, z.output<Q>, z.output<B>>,
  ): z.input<D> | PreserializedJson | Promise<z.input<D> | PreserializedJson | FileSlice>
}

// Routes with different schemas are kept in one list, so their type parameters are erased.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any, any, any>

/** Defines an endpoint. Throws if one of its input schemas accepts unknown parameters. */
export function defineEndpoint<P extends z.ZodObject, Q extends z.ZodObject, B extends Schema, D extends Schema>(
  endpoint: Endpoint<P, Q, B, D>,
): Endpoint<P, Q, B, D> {
  for (const part of [endpoint.params, endpoint.query, endpoint.body]) {
    if (part && !isStrict(part)) throw new Error(`${endpoint.method} ${endpoint.path} has an open schema`)
  }
  return endpoint
}

function isStrict(schema: Schema): boolean {
  const { catchall } = schema._zod.def as { catchall?: Schema }
  return catchall?._zod.def.type === 'never'
}

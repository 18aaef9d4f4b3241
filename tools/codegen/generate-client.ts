import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { retryableStatuses } from './generate-errors.ts'

/** Generates the client's types and constants from the OpenAPI document. Run by `npm run generate`. */

type Json = { [key: string]: Json } & Json[] & string
type Schema = Partial<Record<'$ref' | 'type', string>> & { properties?: Record<string, Schema> }

const BANNER = '// Generated from apps/api/openapi.json and extensions.openapi.json by `npm run generate`.\n\n'

/** Generates the types, method and path of every operation, what may be retried, and the version that the SDK sends. */
export async function generateApi(openapi: object, sdkVersion: string): Promise<string> {
  // Fields with a default are optional in requests; openapi-typescript makes them required by default.
  const types = astToString(
    await openapiTS(withoutExamples(openapi as Json) as OpenAPI3, {
      defaultNonNullable: false,
      transform: (schema) => openEnumType(schema),
    }),
  )
  const lines = Object.entries((openapi as Json)['paths']!).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `  ${operationId}: { method: '${method.toUpperCase()}', path: '${path}' },`,
    ),
  )
  return `${BANNER}${types}\nexport const endpoints = {\n${lines.join('\n')}\n} as const\n\n${constants(openapi, sdkVersion)}`
}

function constants(openapi: object, sdkVersion: string): string {
  const retryable = `/** Statuses of the API that may be retried, and are free unless \`X-Charged\` is \`maybe\`. */
export const RETRYABLE_STATUSES: readonly number[] = [${retryableStatuses(openapi).join(', ')}]`
  return `${retryable}\n\nexport const SDK_VERSION = '${sdkVersion}'\n`
}

/** An open list: editors complete the known values, and any other string is accepted. */
function openEnumType(schema: object): ts.TypeNode | undefined {
  const { 'x-extensible-enum': values, ...rest } = schema as { 'x-extensible-enum'?: string[] }
  if (values === undefined) return undefined
  const { factory } = ts
  const anyString = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeReferenceNode('Record', [
      factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword),
      factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword),
    ]),
  ])
  return factory.createUnionTypeNode([
    ...values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value))),
    factory.createParenthesizedType(anyString),
    ...(JSON.stringify(rest).includes('"null"') ? [factory.createLiteralTypeNode(factory.createNull())] : []),
  ])
}

/** Removes response examples, which would be half of the file; examples of single fields stay. */
function withoutExamples(openapi: Json): object {
  return JSON.parse(
    JSON.stringify(openapi, (key, value: unknown) => (['example', 'value'].includes(key) ? undefined : value)),
  )
}

/** Generates the columns of every row schema, nested ones by path, so that CSV headers don't depend on the rows. */
export function generateFields(openapi: object): string {
  const schemas = (openapi as Json)['components']!['schemas'] as unknown as Record<string, Schema>
  const lines = ROW_SCHEMAS.map((name) => `  ${name}: ${JSON.stringify(leafPaths(schemas, schemas[name]!))},`)
  return `${BANNER}export const fields = {\n${lines.join('\n')}\n} as const\n`
}

const ROW_SCHEMAS = [
  'Set',
  'Minifig',
  'SetSearchResult',
  'MinifigSearchResult',
  'Theme',
  'HistoryPoint',
  'RetailWatchRow',
  'BrickfolioSummary',
  'MonthlyPeriod',
  'Holding',
  'ValuePoint',
  'Sale',
  'Lot',
  'Change',
  'UsageDay',
  'Alert',
]

function leafPaths(schemas: Record<string, Schema>, schema: Schema): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const inner = property.$ref === undefined ? property : schemas[property.$ref.split('/').at(-1)!]!
    return inner.properties === undefined ? [name] : leafPaths(schemas, inner).map((leaf) => `${name}.${leaf}`)
  })
}

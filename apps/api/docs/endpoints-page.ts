type Json = Record<string, unknown>

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  items?: Schema
  anyOf?: Schema[]
  description?: string
  examples?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
}

type Parameter = { name: string; in: string; required: boolean; description: string; example: unknown; schema: Schema }

type Operation = {
  tags: string[]
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}

type Document = {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; description: string }[]
  components: { schemas: Record<string, Schema> }
}

/** Renders the page of all endpoints and fields as Markdown, from the OpenAPI document. */
export function renderEndpointsPage(openApi: Json): string {
  const { paths, tags, components } = openApi as unknown as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const sections = tags.map(({ name, description }) => {
    const members = operations.filter(({ operation }) => operation.tags.includes(name))
    return [`## ${name}`, description, ...members.map((member) => describeOperation(member.name, member.operation))]
  })
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    describeSchema(name, schema, components.schemas),
  )
  return [
    '# Endpoints and fields',
    'Every endpoint, its cost and its fields, with examples. All paths are relative to `https://api.brickmark.example/api/v1`. See [openapi.json](/openapi.json) for the machine-readable version, or send requests from your browser in the [API playground](/docs/reference).',
    'A successful response is `{ data, meta }`, where `meta` is [`Meta`](#Meta). “Response” below refers to the contents of `data`. An error is `{ error: { code, message } }`: see [Errors](errors.md).',
    ...sections.flat(),
    '## Schemas',
    'Fields are always present unless marked *optional*. Unknown values are null, never 0.',
    ...schemas,
  ].join('\n\n')
}

function describeOperation(name: string, operation: Operation): string {
  const { summary, description, parameters = [], requestBody, responses } = operation
  const data = responses['200']!.content!['application/json'].schema.properties!['data']!
  const body = requestBody && `Body: ${typeOf(requestBody.content['application/json'].schema)}.`
  const rows = parameters.map(({ name, in: location, required, description: about, example, schema }) => [
    `\`${name}\`${location === 'path' || required ? '' : ' *optional*'}`,
    rangeOf(schema),
    about,
    code(example),
  ])
  return [
    `### \`${name}\``,
    `**${summary}.** ${description.replace('\n\n', ' ')}`,
    ...(body === undefined ? [] : [body]),
    ...(rows.length === 0 ? [] : [table(['Parameter', 'Type', 'Description', 'Example'], rows)]),
    `Response: ${typeOf(data)}.`,
  ].join('\n\n')
}

function describeSchema(name: string, component: Schema, all: Record<string, Schema>): string {
  const rows = Object.entries(component.properties ?? {}).map(([field, schema]) => [
    `\`${field}\`${component.required?.includes(field) ? '' : ' *optional*'}`,
    typeOf(schema),
    descriptionOf(schema, all),
    isScalar(schema) ? code(schema.examples?.[0]) : '',
  ])
  return [
    `### \`${name}\``,
    component.description ?? '',
    table(['Field', 'Type', 'Description', 'Example'], rows),
  ].join('\n\n')
}

function descriptionOf(schema: Schema, all: Record<string, Schema>): string {
  const ref = schema.$ref ?? schema.anyOf?.[0]?.$ref
  return schema.description ?? all[ref?.split('/').at(-1) ?? '']?.description ?? ''
}

/** Formats a type, with links to the schemas it refers to. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!
    return `[\`${name}\`](#${name})`
  }
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.items) return `array of ${typeOf(schema.items)}`
  if (schema.enum) return schema.enum.map(code).join(' or ')
  if (schema.const !== undefined) return code(schema.const)
  const types = [schema.type ?? ''].flat().map((type) => (type === 'string' && schema.format) || type)
  return types.join(' or ')
}

function rangeOf(schema: Schema): string {
  const least = schema.minimum === undefined ? '' : ` from ${schema.minimum}`
  const most = schema.maximum === undefined || schema.maximum > 1_000_000 ? '' : ` to ${schema.maximum}`
  const defaultClause = schema.default === undefined ? '' : `, default ${code(schema.default)}`
  return `${typeOf(schema)}${least}${most}${defaultClause}`
}

/** Objects show their examples field by field. */
function isScalar(schema: Schema): boolean {
  return (
    schema.$ref === undefined && !schema.items?.$ref && !schema.items?.anyOf && !schema.anyOf?.some((one) => one.$ref)
  )
}

function code(value: unknown): string {
  return value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function table(header: string[], rows: string[][]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

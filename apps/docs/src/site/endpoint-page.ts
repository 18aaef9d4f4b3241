import {
  errorsOf,
  EXTENSIONS,
  nameIn,
  operations,
  pageOf,
  schemas,
  successOf,
  tags,
  type Operation,
  type Schema,
} from './openapi.ts'
import { sampleOf } from './endpoint-samples.ts'

/** Shared by almost all responses; endpoint pages link to them instead of repeating them. */
const LINKED = new Set(['Meta', 'Pagination'])

/** Renders the page of one endpoint as MDX. */
export function endpointPage(operation: Operation): string {
  const { method, prefix, path, summary, description, parameters = [], requestBody } = operation
  const success = successOf(operation)
  const cost = operation['x-badges'][0]!.name
  const prose = description.replace(/\n\n\*\*Cost:\*\*.*$/, '')
  const body = requestBody?.content['application/json'].schema
  const { curl, typescript, python } = sampleOf(operation)
  const sections = [
    `<Endpoint method="${method}" path="${prefix}${path}" cost="${cost}" />`,
    escapeMdx(prose),
    `<Tabs syncKey="language">
<TabItem label="curl">

${fence('sh', curl)}

</TabItem>
<TabItem label="TypeScript">

${fence('ts', typescript)}

</TabItem>
<TabItem label="Python">

${fence('python', python)}

</TabItem>
</Tabs>`,
    unindexed(
      'The samples read `BRICKMARK_BASE_URL` and `BRICKMARK_API_KEY` from the environment: see [Quickstart](../quickstart.mdx#1-set-your-api-key).',
    ),
    ...(parameters.length === 0
      ? []
      : [
          '## Parameters',
          table(
            ['Parameter', 'Type', 'Description', 'Example'],
            parameters.map(({ name, in: location, required, description: about, example, schema }) => [
              `\`${name}\`${required ? '' : ' *optional*'}`,
              `${rangeOf(schema, true)}${location === 'path' ? ', in the path' : ''}`,
              about,
              code(example),
            ]),
          ),
        ]),
    ...(body === undefined ? [] : ['## Request body', ...describeReachable(body)]),
    '## Response',
    ...(success === undefined
      ? [table(['Status', 'Meaning'], fileResponsesOf(operation))]
      : [
          `A successful response is \`{ data, meta }\`. \`data\` is ${typeOf(success.data, true)}; \`meta\` is [\`Meta\`](../schemas.md#Meta). Fields are always present unless marked *optional*. Unknown values are null, never 0.`,
          ...describeReachable(success.data),
          '## Example response',
          fence('json example', JSON.stringify(success.example, null, 2)),
        ]),
    unindexed(
      '## Errors',
      table(
        ['Status', 'Code', 'Description'],
        errorsOf(operation).map(({ status, code: name, description: about }) => [
          status,
          `[\`${name}\`](../errors.md#${name})`,
          about,
        ]),
      ),
    ),
    ...(success === undefined ? [] : ['## Try it', `<TryIt operation="${operation.operationId}" />`]),
  ]
  return `---
title: ${JSON.stringify(summary)}
description: ${JSON.stringify(`${method} ${path}: ${firstSentence(prose)}`)}
---

import { Tabs, TabItem } from '@astrojs/starlight/components'
import Endpoint from '../../../components/Endpoint.astro'
import TryIt from '../../../components/TryIt.astro'

${sections.join('\n\n')}
`
}

/** Renders the list of all endpoints as Markdown. */
export function endpointsIndexPage(): string {
  const [v1, extensions] = [
    operations.filter(({ prefix }) => prefix !== EXTENSIONS),
    operations.filter(({ prefix }) => prefix === EXTENSIONS),
  ] as const
  const sections = tags.flatMap(({ name, description }) => [
    `## ${name}`,
    description,
    endpointsTable(v1.filter((operation) => operation.tags.includes(name))),
  ])
  return `---
title: Endpoints
description: Every endpoint of the API with its cost. Each has a page with its parameters, fields, errors and samples.
---

All paths are relative to \`https://api.brickmark.example/api/v1\`. Send your API key with every request, as
\`Authorization: Bearer <API_KEY>\`.

${sections.join('\n\n')}

## Extensions

What v1 leaves out: see [Extensions](extensions.md). These paths are relative to \`https://api.brickmark.example${EXTENSIONS}\`.

${endpointsTable(extensions)}

A successful response is \`{ data, meta }\`, where \`meta\` is [\`Meta\`](schemas.md#Meta). An error is
\`{ error: { code, message } }\`: see [Errors](errors.md).

For machines, there are [openapi.json](/openapi.json) and [extensions.openapi.json](/extensions.openapi.json). To send requests
from your browser, use the form on each page or the [API playground](/docs/reference).
`
}

/** The responses of an endpoint that sends a file. Errors of all endpoints have a table of their own. */
function fileResponsesOf({ responses }: Operation): string[][] {
  return Object.entries(responses).flatMap(([status, { $ref, description }]) =>
    $ref === undefined ? [[status, description]] : [],
  )
}

function endpointsTable(listed: Operation[]): string {
  return table(
    ['Endpoint', 'What it does', 'Cost'],
    listed.map((operation) => [
      `[\`${operation.method} ${operation.path}\`](${pageOf(operation)}.mdx)`,
      operation.summary,
      operation['x-badges'][0]!.name,
    ]),
  )
}

/** Renders the page of all schemas as Markdown. */
export function schemasPage(): string {
  const names = Object.keys(schemas)
  return `---
title: Schemas
description: Every object that the API returns or accepts, field by field.
---

The objects that the endpoints return or accept. Fields are always present unless marked *optional*. Unknown values are null,
never 0.

${names.map((name) => describeSchema(name, '##', false)).join('\n\n')}
`
}

/** Describes a schema and all schemas that it refers to. */
function describeReachable(rootSchema: Schema): string[] {
  const names: string[] = []
  const visit = (schema: Schema) => {
    const name = nameIn(schema.$ref)
    if (name !== undefined) {
      if (names.includes(name) || LINKED.has(name)) return
      names.push(name)
    }
    const { items, anyOf = [], properties = {} } = name === undefined ? schema : schemas[name]!
    for (const part of [...(items ? [items] : []), ...anyOf, ...Object.values(properties)]) visit(part)
  }
  visit(rootSchema)
  return names.map((name) => describeSchema(name, '###', true))
}

function describeSchema(name: string, heading: string, isEndpointPage: boolean): string {
  const { description = '', properties = {}, required = [] } = schemas[name]!
  const rows = Object.entries(properties).map(([field, schema]) => [
    `\`${field}\`${required.includes(field) ? '' : ' *optional*'}`,
    rangeOf(schema, isEndpointPage),
    descriptionOf(schema),
    isScalar(schema) ? code(schema.examples?.[0]) : '',
  ])
  const parts = [`${heading} \`${name}\``, description, table(['Field', 'Type', 'Description', 'Example'], rows)]
  return parts.map((part) => (isEndpointPage ? escapeMdx(part) : part)).join('\n\n')
}

function descriptionOf(schema: Schema): string {
  const ref = schema.$ref ?? schema.anyOf?.[0]?.$ref
  return schema.description ?? schemas[nameIn(ref) ?? '']?.description ?? ''
}

/** Formats a type, with links to the schemas it refers to. */
function typeOf(schema: Schema, isEndpointPage: boolean): string {
  const name = nameIn(schema.$ref)
  if (name !== undefined) {
    return `[\`${name}\`](${isEndpointPage && LINKED.has(name) ? '../schemas.md' : ''}#${name})`
  }
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, isEndpointPage)).join(' or ')
  if (schema.items) return `array of ${typeOf(schema.items, isEndpointPage)}`
  if (schema.enum) return schema.enum.map(code).join(' or ')
  if (schema.const !== undefined) return code(schema.const)
  const types = [schema.type ?? ''].flat().map((type) => (type === 'string' && schema.format) || type)
  return types.join(' or ')
}

function rangeOf(schema: Schema, isEndpointPage: boolean): string {
  const least = schema.minimum === undefined || schema.minimum < -1_000_000 ? '' : ` from ${schema.minimum}`
  const most = schema.maximum === undefined || schema.maximum > 1_000_000 ? '' : ` to ${schema.maximum}`
  const defaultClause = schema.default === undefined ? '' : `, default ${code(schema.default)}`
  return `${typeOf(schema, isEndpointPage)}${least}${most}${defaultClause}`
}

/** Objects show their examples field by field. */
function isScalar(schema: Schema): boolean {
  return (
    schema.$ref === undefined && !schema.items?.$ref && !schema.items?.anyOf && !schema.anyOf?.some((one) => one.$ref)
  )
}

function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0].replaceAll('`', '') ?? text
}

function code(value: unknown): string {
  return value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function fence(info: string, text: string): string {
  return `\`\`\`${info}\n${text}\n\`\`\``
}

function table(header: string[], rows: string[][]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Keeps what all pages of endpoints have in common out of the search index. */
function unindexed(...parts: string[]): string {
  return `<div data-pagefind-ignore>\n\n${parts.join('\n\n')}\n\n</div>`
}

/** Escapes what MDX would read as JSX, outside code spans. */
function escapeMdx(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[{<]/g, String.raw`\$&`)))
    .join('')
}

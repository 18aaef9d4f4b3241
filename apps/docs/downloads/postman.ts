import { readFileSync } from 'node:fs'

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; description: string; example: unknown }
type Operation = {
  tags: string[]
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } }
}
type Document = {
  info: { title: string; summary: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { examples?: unknown[] }> }
}

const API = new URL('../../api/', import.meta.url)
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Builds a Postman collection of all operations, in a folder per tag. The key is a variable that the reader fills in. */
export function buildPostmanCollection(): object {
  const document = readDocument('openapi.json')
  const extensions = readDocument('extensions.openapi.json')
  const v1 = document.tags.map(({ name, description }) => ({
    name,
    description,
    item: requests(document, '{{baseUrl}}', ({ tags }) => tags.includes(name)),
  }))
  const { summary: description } = extensions.info
  return {
    info: { name: document.info.title, description: document.info.description, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'https://api.brickmark.example/api/v1' },
      { key: 'extensionsUrl', value: 'https://api.brickmark.example/api/extensions/v1' },
      { key: 'apiKey', value: '' },
    ],
    item: [...v1, { name: 'Extensions', description, item: requests(extensions, '{{extensionsUrl}}', () => true) }],
  }
}

function readDocument(file: string): Document {
  return JSON.parse(readFileSync(new URL(file, API), 'utf8')) as Document
}

/** Returns the requests of the operations that are wanted. */
function requests(document: Document, host: string, isWanted: (operation: Operation) => boolean): object[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isWanted(operation))
      .map(([method, operation]) => ({
        name: operation.summary,
        request: {
          method: method.toUpperCase(),
          description: operation.description,
          url: url(host, path, operation.parameters ?? []),
          ...body(document, operation),
        },
      })),
  )
}

/**
 * Optional parameters are listed, but not sent until the reader ticks them. `set` is: prices are found by one of three
 * identifiers, which a specification can't say.
 */
const isSent = ({ name, required }: Parameter) => required || name === 'set'

function url(host: string, path: string, parameters: Parameter[]): object {
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const sent = query.filter(isSent).map(({ name, example }) => `${name}=${String(example)}`)
  return {
    raw: `${host}/${segments}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: [host],
    path: segments.split('/'),
    variable: parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, example, description }) => ({ key: name, value: String(example), description })),
    query: query.map((parameter) => ({
      key: parameter.name,
      value: String(parameter.example),
      description: parameter.description,
      disabled: !isSent(parameter),
    })),
  }
}

function body({ components }: Document, { requestBody }: Operation): object {
  if (!requestBody) return {}
  const name = requestBody.content['application/json'].schema.$ref.split('/').at(-1)!
  const example = components.schemas[name]!.examples![0]
  return { body: { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } } }
}

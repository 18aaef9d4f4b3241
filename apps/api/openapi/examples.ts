type JsonSchema = Record<string, unknown>

/** Adds an example to every schema, and to every field in it that has none, composed from the examples of its parts. */
export function withExamples(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withFieldExamples(schema, schemas)]))
}

function withFieldExamples(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const { properties, ...rest } = schema as { properties?: Record<string, JsonSchema> }
  if (!properties) return schema
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, '$ref' in field ? field : withExample(field, schemas)]),
  )
  return { ...rest, properties: fields, examples: [exampleOf(schema, schemas)] }
}

function withExample(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  return 'examples' in schema ? schema : { ...schema, examples: [exampleOf(schema, schemas)] }
}

/** Returns an example of the schema, composed from the examples of its parts. */
function exampleOf(schema: JsonSchema, schemas: Record<string, JsonSchema>): unknown {
  const { examples, properties, items, anyOf, $ref } = schema as {
    examples?: unknown[]
    properties?: Record<string, JsonSchema>
    items?: JsonSchema
    anyOf?: JsonSchema[]
    $ref?: string
  }
  if (examples) return examples[0]
  if ('const' in schema) return schema['const']
  if ($ref !== undefined) return exampleOf(schemas[$ref.split('/').at(-1)!]!, schemas)
  if (anyOf) return exampleOf(anyOf[0]!, schemas)
  if (items) return [exampleOf(items, schemas)]
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, field]) => [name, exampleOf(field, schemas)]))
}

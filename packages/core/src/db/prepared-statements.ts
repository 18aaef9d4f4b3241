import type pg from 'pg'

const statementNames = new Map<string, string>()

/** Names the parameterized statements of a connection, so that each is parsed and planned once per connection. */
export function prepareStatements(client: pg.PoolClient): void {
  const sendQuery = client.query.bind(client) as (...args: unknown[]) => unknown
  const query = (text: unknown, ...rest: unknown[]): unknown => {
    const [values] = rest
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return sendQuery(text, ...rest)
    return sendQuery({ name: statementName(text), text, values })
  }
  client.query = query as typeof client.query
}

function statementName(text: string): string {
  const name = statementNames.get(text) ?? `read ${statementNames.size + 1}`
  statementNames.set(text, name)
  return name
}

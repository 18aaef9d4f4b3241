import type { Duplex } from 'node:stream'
import type pg from 'pg'

const statementNames = new Map<string, string>()

/**
 * Corks the socket so that queries issued in the same tick go out in one packet (each packet wakes a backend, which
 * costs more than most queries), and names parameterized statements so that they are parsed and planned once per
 * connection.
 */
export function enablePipelining(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  const sendQuery = client.query.bind(client) as (...args: unknown[]) => unknown
  let corked = false
  const corkUntilNextTick = () => {
    if (corked) return
    corked = true
    stream.cork()
    process.nextTick(() => {
      corked = false
      stream.uncork()
    })
  }
  const pipelinedQuery = (query: unknown, ...rest: unknown[]): unknown => {
    corkUntilNextTick()
    const [values] = rest
    if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0) return sendQuery(query, ...rest)
    return sendQuery({ name: statementName(query), text: query, values })
  }
  client.query = pipelinedQuery as typeof client.query
}

function statementName(text: string): string {
  const name = statementNames.get(text) ?? `read ${statementNames.size + 1}`
  statementNames.set(text, name)
  return name
}

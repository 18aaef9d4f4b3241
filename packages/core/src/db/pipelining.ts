import type { Duplex } from 'node:stream'
import type pg from 'pg'

const statementNames = new Map<string, string>()

/**
 * Makes a connection send in one piece what is asked in one turn, because each piece wakes a process of PostgreSQL, which
 * costs more than most queries; and names every statement that has values after its text, so that it is parsed and
 * planned once a connection.
 */
export function pipeline(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  const ask = client.query.bind(client) as (...asked: unknown[]) => unknown
  let held = false
  const hold = () => {
    if (held) return
    held = true
    stream.cork()
    process.nextTick(() => {
      held = false
      stream.uncork()
    })
  }
  const askHeld = (query: unknown, ...rest: unknown[]): unknown => {
    hold()
    const [values] = rest
    if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0) return ask(query, ...rest)
    return ask({ name: nameOf(query), text: query, values })
  }
  client.query = askHeld as typeof client.query
}

function nameOf(text: string): string {
  const name = statementNames.get(text) ?? `read ${statementNames.size + 1}`
  statementNames.set(text, name)
  return name
}

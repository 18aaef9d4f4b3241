import { callbackify } from 'node:util'
import pg from 'pg'

/** How long one server may take to say what it is: a dead machine does not even refuse. */
const PROBE_TIMEOUT_MS = 500

/**
 * What node-postgres needs to connect to `url`, which may name several servers, as libpq writes them:
 * `postgres://user@one:5432,two:5432/brickmark`. node-postgres itself knows one host only; with several, every new
 * connection first asks which of them is the primary, and so follows a fail-over.
 */
export function connectionConfig(url: string): { connectionString: string; Client: typeof pg.Client } {
  const servers = splitHosts(url)
  return { connectionString: servers[0]!, Client: servers.length === 1 ? pg.Client : createPrimaryClient(servers) }
}

/** One address for each server that `url` names. */
export function splitHosts(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

function createPrimaryClient(servers: string[]): typeof pg.Client {
  let pendingLookup: Promise<ServerAddress> | undefined
  // Connections that are opened together ask once: in an outage every request may want one.
  const resolvePrimary = () =>
    (pendingLookup ??= findPrimary(servers).finally(() => {
      pendingLookup = undefined
    }))

  class PrimaryClient extends pg.Client {
    override connect(): Promise<this>
    override connect(callback: (error: Error | null) => void): void
    override connect(callback?: (error: Error | null) => void): Promise<this> | void {
      const connected = resolvePrimary().then((index) => {
        Object.assign(this, index)
        return super.connect() as unknown as Promise<this>
      })
      if (callback === undefined) return connected
      callbackify(() => connected)((error) => callback(error))
    }
  }
  return PrimaryClient
}

type ServerAddress = { host: string; port: number }

async function findPrimary(servers: string[]): Promise<ServerAddress> {
  try {
    return await Promise.any(servers.map(addressIfPrimary))
  } catch (cause) {
    throw new NoPrimaryError(cause as AggregateError)
  }
}

/** No server that is named is a primary and can be reached, just now. */
class NoPrimaryError extends Error {
  /** SQLSTATE "cannot establish a connection". */
  readonly code = '08001'

  constructor({ errors }: AggregateError) {
    super(`No primary can be reached: ${errors.map((error: Error) => error.message).join('; ')}`)
  }
}

async function addressIfPrimary(server: string): Promise<ServerAddress> {
  const client = new pg.Client({
    connectionString: server,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
    application_name: 'brickmark looking for the primary',
  })
  // A server may die between two answers.
  client.on('error', () => {})
  const { host, port } = client
  try {
    await client.connect()
    const { rows } = await client.query<{ primary: boolean }>(
      `select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as primary`,
    )
    if (rows[0]?.primary) return { host, port }
    throw new Error(`${host}:${port} is a standby`)
  } finally {
    void client.end().catch(() => {})
  }
}

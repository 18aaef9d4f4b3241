import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { connectionConfig } from './primary-discovery.ts'

const RECONNECT_DELAY_MS = 250
const CONNECT_TIMEOUT_MS = 2000
const HEARTBEAT_INTERVAL_MS = 5000
const HEARTBEAT_TIMEOUT_MS = 2000

export type ListenerOptions = {
  url: string
  channel: string
  applicationName: string
  onNotification: (payload: string | undefined) => void
  /**
   * Runs after LISTEN and before the connection counts as established: anything committed later is notified, so data
   * read here misses nothing. If it throws, the listener reconnects and calls it again.
   */
  onConnect?: () => Promise<void>
  onDisconnect?: () => void
  onError: (error: Error) => void
}

/**
 * Listens to a PostgreSQL channel and reconnects until it is stopped. A heartbeat detects connections that were cut
 * without a FIN or RST.
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
    client.on('notification', ({ payload }) => this.#options.onNotification(payload))
    let heartbeat: NodeJS.Timeout | undefined
    try {
      await Promise.race([client.connect(), lost])
      await Promise.race([client.query(`listen ${this.#options.channel}`), lost])
      await Promise.race([this.#options.onConnect?.(), lost])
      if (this.#stopped) return
      this.#markConnected()
      heartbeat = setInterval(() => void this.#checkHeartbeat(client), HEARTBEAT_INTERVAL_MS).unref()
      await lost
    } finally {
      clearInterval(heartbeat)
      client.removeAllListeners('end')
      void client.end().catch(() => {})
    }
  }

  async #checkHeartbeat(client: pg.Client): Promise<void> {
    const timeout = setTimeout(() => this.#disconnect(new Error('heartbeat timed out')), HEARTBEAT_TIMEOUT_MS).unref()
    await client.query('select 1').catch((error: Error) => this.#disconnect(error))
    clearTimeout(timeout)
  }
}

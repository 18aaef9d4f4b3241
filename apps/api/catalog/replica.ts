import type pg from 'pg'
import type { Logger } from 'pino'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { connectionConfig } from '@brickmark/core/db/primary-discovery'
import { Catalog } from './catalog.ts'
import { loadMinifigs } from '@brickmark/core/market/minifig-record-queries'
import { loadSets } from '@brickmark/core/market/set-record-queries'
import { findSetNumbers } from '@brickmark/core/catalog/set-queries'

const RECONNECT_MS = 250
const BATCH_SIZE = 1000
const HEARTBEAT_MS = 5000
const HEARTBEAT_TIMEOUT_MS = 2000

/**
 * Keeps one `Catalog` equal to the database: loaded whole, then followed by the announcements of every change. When the
 * listening connection is lost, announcements are too: it listens again first, then reloads everything, and only
 * then calls itself fresh. Until then it serves what it has.
 */
export class CatalogReplica {
  readonly catalog = new Catalog()
  readonly #url: string
  readonly #db: Database
  readonly #log: Logger
  #listener: pg.Client | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #pending = { all: false, sets: new Set<string>(), minifigs: new Set<string>() }
  #applying: Promise<void> | undefined
  #fresh = false
  #stopped = false

  constructor(url: string, log: Logger) {
    this.#url = url
    // Its own connection, because loading a part takes longer than any request may; one that was cut without a word must be noticed.
    this.#db = openDatabase(openPool(url, { size: 1, statementTimeoutMs: 10_000 }))
    this.#log = log
  }

  /** Whether every change that was committed and announced is served. */
  get isFresh(): boolean {
    return this.#fresh && this.#applying === undefined
  }

  /** Resolves once the catalog is loaded; keeps trying while the database cannot be reached. */
  async start(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#listenAndReload()
        return
      } catch (error) {
        this.#log.warn({ err: error }, 'catalog: cannot load, trying again')
        this.#dropListener()
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#dropListener()
    await this.#applying
    await this.#db.destroy()
  }

  async #listenAndReload(): Promise<void> {
    const { Client, connectionString } = connectionConfig(this.#url)
    const listener = new Client({
      connectionString,
      connectionTimeoutMillis: 2000,
      keepAlive: true,
      application_name: 'brickmark catalog',
    })
    this.#listener = listener
    listener.on('notification', ({ payload }) => this.#enqueueChange(parseChange(payload)))
    listener.on('error', () => this.#handleConnectionLost(listener))
    listener.on('end', () => this.#handleConnectionLost(listener))
    await listener.connect()
    // Listen before reading: what is committed after the read will be announced, what was before is in it.
    await listener.query('listen catalog_changed')
    await this.#reloadAll()
    if (this.#listener !== listener) throw new Error('the listening connection was lost during the load')
    this.#fresh = true
    this.#startApplying()
    this.#heartbeat = setInterval(() => void this.#checkHeartbeat(listener), HEARTBEAT_MS).unref()
  }

  /** A connection cut without a word is noticed only by asking. */
  async #checkHeartbeat(listener: pg.Client): Promise<void> {
    const replied = listener.query('select 1').then(
      () => true,
      () => false,
    )
    const timedOut = new Promise<false>((resolve) => setTimeout(() => resolve(false), HEARTBEAT_TIMEOUT_MS).unref())
    if (!(await Promise.race([replied, timedOut]))) this.#handleConnectionLost(listener)
  }

  #handleConnectionLost(listener: pg.Client): void {
    if (this.#listener !== listener || this.#stopped) return
    const wasFresh = this.#fresh
    this.#dropListener()
    // While it was loading, the loop in start() tries again by itself.
    if (!wasFresh) return
    this.#log.warn('catalog: listening connection lost, reloading')
    void this.start()
  }

  #dropListener(): void {
    const listener = this.#listener
    this.#listener = undefined
    this.#fresh = false
    clearInterval(this.#heartbeat)
    listener?.removeAllListeners('end')
    void listener?.end().catch(() => {})
  }

  #enqueueChange(change: Change): void {
    if (change.all) this.#pending.all = true
    for (const number of change.sets ?? []) this.#pending.sets.add(number)
    for (const number of change.minifigs ?? []) this.#pending.minifigs.add(number)
    // During a load changes are only collected, for it may have read before or after them.
    if (this.#fresh) this.#startApplying()
  }

  #startApplying(): void {
    this.#applying ??= this.#applyPending().finally(() => {
      this.#applying = undefined
    })
  }

  async #applyPending(): Promise<void> {
    while (this.#pending.all || this.#pending.sets.size > 0 || this.#pending.minifigs.size > 0) {
      const { all, sets, minifigs } = this.#pending
      this.#pending = { all: false, sets: new Set(), minifigs: new Set() }
      try {
        if (all) await this.#reloadAll()
        else await this.#reloadSome([...sets], [...minifigs])
      } catch (error) {
        // What was announced is not served now: the whole reload after a reconnect makes up for it.
        this.#log.warn({ err: error }, 'catalog: cannot apply changes, reloading')
        if (this.#listener) this.#handleConnectionLost(this.#listener)
        return
      }
    }
  }

  /**
   * By parts, known ones too, which may be gone: two catalogs at once would need twice the memory. Each part has a snapshot of
   * its own, because one held for all of it keeps PostgreSQL from clearing old counters away; what changes meanwhile is
   * announced, and applied after.
   */
  async #reloadAll(): Promise<void> {
    const { sets, minifigs } = this.catalog.numbers
    for (const part of toBatches(new Set([...sets, ...(await findSetNumbers(this.#db))]))) {
      this.catalog.replaceSets(part, await this.#readSnapshot((db) => loadSets(db, part)))
    }
    const found = await this.#readSnapshot((db) => loadMinifigs(db))
    this.catalog.replaceMinifigs([...minifigs, ...found.map((one) => one.minifig_number)], found)
  }

  async #reloadSome(setNumbers: string[], minifigNumbers: string[]): Promise<void> {
    const { sets, minifigs } = await this.#readSnapshot(async (db) => ({
      sets: setNumbers.length > 0 ? await loadSets(db, setNumbers) : [],
      minifigs: minifigNumbers.length > 0 ? await loadMinifigs(db, minifigNumbers) : [],
    }))
    this.catalog.replaceSets(setNumbers, sets)
    this.catalog.replaceMinifigs(minifigNumbers, minifigs)
  }

  /** A set's tables are read one after another; a snapshot keeps them of one moment. */
  #readSnapshot<T>(read: (db: Database) => Promise<T>): Promise<T> {
    return this.#db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
  }
}

function toBatches(numbers: Set<string>): string[][] {
  const all = [...numbers]
  return Array.from({ length: Math.ceil(all.length / BATCH_SIZE) }, (_, n) =>
    all.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  )
}

type Change = { all?: boolean; sets?: string[]; minifigs?: string[] }

/** What was announced; anything that cannot be read means everything: `notify catalog_changed` by hand forces a reload. */
function parseChange(payload: string | undefined): Change {
  try {
    const change: unknown = JSON.parse(payload ?? '')
    return typeof change === 'object' && change !== null ? change : { all: true }
  } catch {
    return { all: true }
  }
}

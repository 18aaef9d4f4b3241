import type { Logger } from 'pino'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { Listener } from '@brickmark/core/db/listener'
import { Catalog } from './catalog.ts'
import { loadMinifigs } from '@brickmark/core/market/values/minifig-record-queries'
import { loadSets } from '@brickmark/core/market/values/set-record-queries'
import { findSetNumbers } from '@brickmark/core/catalog/set-queries'

const BATCH_SIZE = 1000

/**
 * Keeps a `Catalog` equal to the database: loads all of it, then applies the changes that PostgreSQL notifies. When the
 * listening connection is lost, notifications are lost too, so after reconnecting it reloads everything before it reports
 * itself fresh. Meanwhile it serves what it has.
 */
export class CatalogReplica {
  readonly catalog = new Catalog()
  readonly #listenUrl: string
  readonly #database: Database
  readonly #log: Logger
  #listener: Listener | undefined
  #pending = { all: false, sets: new Set<string>(), minifigs: new Set<string>() }
  #applying: Promise<void> | undefined
  #fresh = false
  /** Counts connections, so that a load can tell whether its own is still the current one. */
  #session = 0

  constructor(url: string, log: Logger, listenUrl = url) {
    this.#listenUrl = listenUrl
    // A connection of its own, with a longer statement timeout: loading a batch takes longer than any request may.
    this.#database = openDatabase(openPool(url, { size: 1, statementTimeoutMs: 10_000 }))
    this.#log = log
  }

  /** Whether every committed and notified change is served. */
  get isFresh(): boolean {
    return this.#fresh && this.#applying === undefined
  }

  /** Resolves once the catalog is loaded; retries while the database can't be reached. */
  async start(): Promise<void> {
    this.#listener = new Listener({
      url: this.#listenUrl,
      db: this.#database,
      channel: 'catalog_changed',
      applicationName: 'brickmark catalog',
      onNotification: (payload) => this.#enqueueChange(parseChange(payload)),
      onConnect: () => this.#load(),
      onDisconnect: () => {
        this.#fresh = false
        this.#session++
      },
      onError: (error) => this.#log.warn({ err: error }, 'catalog: lost the connection, reloading'),
    })
    await this.#listener.connected
  }

  async stop(): Promise<void> {
    await this.#listener?.stop()
    await this.#applying
    await this.#database.destroy()
  }

  async #load(): Promise<void> {
    const session = this.#session
    await this.#reloadAll()
    // The connection may have been lost during the load, and with it notifications.
    if (session !== this.#session) return
    this.#fresh = true
    this.#startApplying()
  }

  #enqueueChange(change: Change): void {
    if (change.all) this.#pending.all = true
    for (const number of change.sets ?? []) this.#pending.sets.add(number)
    for (const number of change.minifigs ?? []) this.#pending.minifigs.add(number)
    // During a load, changes are only queued: the load may have read before or after them.
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
        // These changes are not served now; the full reload after the reconnect includes them.
        this.#fresh = false
        this.#log.warn({ err: error }, 'catalog: could not apply changes, reloading')
        this.#listener?.reconnect()
        return
      }
    }
  }

  /**
   * Reloads in batches, including numbers that may no longer exist: two full catalogs would need twice the memory. Each
   * batch reads its own snapshot, because one long snapshot would keep PostgreSQL from vacuuming the quota counters.
   * Changes committed meanwhile are notified and applied afterwards.
   */
  async #reloadAll(): Promise<void> {
    const { sets, minifigs } = this.catalog.numbers
    for (const part of toBatches(new Set([...sets, ...(await findSetNumbers(this.#database))]))) {
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

  /** Reads the tables of a set from one snapshot, so that they are consistent with each other. */
  #readSnapshot<T>(read: (db: Database) => Promise<T>): Promise<T> {
    return this.#database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
  }
}

function toBatches(numbers: Set<string>): string[][] {
  const all = [...numbers]
  return Array.from({ length: Math.ceil(all.length / BATCH_SIZE) }, (_, n) =>
    all.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE),
  )
}

type Change = { all?: boolean; sets?: string[]; minifigs?: string[] }

/** Parses a notification. Anything unreadable means a full reload, so `notify catalog_changed` by hand forces one. */
function parseChange(payload: string | undefined): Change {
  try {
    const change: unknown = JSON.parse(payload ?? '')
    return typeof change === 'object' && change !== null ? change : { all: true }
  } catch {
    return { all: true }
  }
}

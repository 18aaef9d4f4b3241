import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketContext } from '@brickmark/core/db/context'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import type { EndpointId } from '@brickmark/core/webhook/delivery-commands'

const POLL_INTERVAL_MS = 200
/** Each endpoint is served on its own, so that a slow one delays no other. */
const MAX_ENDPOINTS = 200
/** Another worker takes over an endpoint after this time. It must be longer than a turn and the slowest response. */
const LEASE_SECONDS = 30

type Delivering = {
  /** What is sent, for the log. */
  what: string
  claim: (db: Database, maxEndpoints: number, leaseSeconds: number) => Promise<EndpointId[]>
  /** Sends what is due at one endpoint, until nothing is, its turn is over or the worker stops. */
  serve: (db: Database, endpoint: EndpointId, stopping: AbortSignal) => Promise<void>
  close: () => void
}

/**
 * Serves endpoints as deliveries become due. Any number of workers share the work: each claims endpoints, not single
 * deliveries. If a worker dies, what it was sending is sent again with the same id.
 */
export function startDeliveryLoop(
  databaseUrl: string,
  { what, claim, serve, close }: Delivering,
  { log }: Pick<MarketContext, 'log'>,
): { stop(): Promise<void> } {
  const db = openDatabase(
    openPool(databaseUrl, {
      size: 2,
      statementTimeoutMs: 10_000,
      connectTimeoutMs: 10_000,
      onError: (error) => log.warn({ err: error }, 'lost an idle database connection'),
    }),
  )
  const stopping = new AbortController()
  const turns = new Set<Promise<void>>()

  function startTurn(endpoint: EndpointId): void {
    const turn = serve(db, endpoint, stopping.signal)
      .catch((error: unknown) => log.error({ err: error, ...endpoint }, `worker: sending ${what} failed, retrying`))
      .finally(() => turns.delete(turn))
    turns.add(turn)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const free = MAX_ENDPOINTS - turns.size
        if (free > 0) for (const endpoint of await claim(db, free, LEASE_SECONDS)) startTurn(endpoint)
      } catch (error) {
        log.error({ err: error }, `worker: looking for ${what} failed, retrying`)
      }
      await sleep(POLL_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await Promise.all(turns)
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
      close()
      await db.destroy()
    },
  }
}

import type { Sighting } from './admission/invariants.ts'
import type { Call } from './admission/calls.ts'
import { sight } from './admission/observe.ts'
import { Client } from '../support/http-client.ts'

export type TrafficOptions = {
  next: () => Call
  /** Requests a second, or as many as there are answers. */
  rate?: number
  clients: number
  /** What is done with each; without it all are kept in `seen`. */
  note?: (sighting: Sighting) => void
  /** Whether a request on a kept connection that was closed just then is made again, as most clients do. */
  retries?: boolean
  patienceMs?: number
}

/** Requests without end, at a given rate, over nodes that may change meanwhile. */
export class Traffic {
  readonly seen: Sighting[] = []
  /** How many answers came from each port. */
  readonly answers = new Map<number, number>()
  #ports: Client[]
  #stopped = false
  readonly #clients: Promise<unknown>
  readonly #open: (port: number) => Client

  constructor(ports: number[], { next, rate = Infinity, clients, note, ...how }: TrafficOptions) {
    this.#open = (port) => new Client(port, clients, how)
    this.#ports = ports.map(this.#open)
    const take = note ?? ((one: Sighting) => void this.seen.push(one))
    const started = performance.now()
    let sent = 0
    const client = async () => {
      while (!this.#stopped) {
        const due = started + (sent++ / rate) * 1000
        const early = due - performance.now()
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
        take(await this.#make(next()))
      }
    }
    this.#clients = Promise.all(Array.from({ length: clients }, client))
  }

  /** From now on the requests go to these. What is under way is still answered by the others. */
  turnTo(ports: number[]): void {
    this.#ports = ports.map(this.#open)
  }

  async stop(): Promise<Sighting[]> {
    this.#stopped = true
    await this.#clients
    for (const port of this.#ports) port.close()
    return this.seen
  }

  async #make(call: Call): Promise<Sighting> {
    const client = this.#ports[call.node % this.#ports.length]!
    const sighting = await sight(call, client)
    if (sighting.status > 0) this.answers.set(client.port, (this.answers.get(client.port) ?? 0) + 1)
    return sighting
  }
}

import type { Observation } from './admission/invariants.ts'
import type { Call } from './admission/calls.ts'
import { observe } from './admission/observe.ts'
import { Client } from '../support/http-client.ts'

export type TrafficGeneratorOptions = {
  next: () => Call
  /** Requests a second, or as many as there are answers. */
  rate?: number
  clients: number
  /** What is done with each; without it all are kept in `seen`. */
  onObservation?: (sighting: Observation) => void
  /** Whether a request on a kept connection that was closed just then is made again, as most clients do. */
  retries?: boolean
  timeoutMs?: number
}

/** Requests without end, at a given rate, over nodes that may change meanwhile. */
export class TrafficGenerator {
  readonly observations: Observation[] = []
  /** How many answers came from each port. */
  readonly responsesByPort = new Map<number, number>()
  #ports: Client[]
  #stopped = false
  readonly #clients: Promise<unknown>
  readonly #open: (port: number) => Client

  constructor(ports: number[], { next, rate = Infinity, clients, onObservation, ...how }: TrafficGeneratorOptions) {
    this.#open = (port) => new Client(port, clients, how)
    this.#ports = ports.map(this.#open)
    const take = onObservation ?? ((one: Observation) => void this.observations.push(one))
    const started = performance.now()
    let sent = 0
    const client = async () => {
      while (!this.#stopped) {
        const due = started + (sent++ / rate) * 1000
        const early = due - performance.now()
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
        take(await this.#sendCall(next()))
      }
    }
    this.#clients = Promise.all(Array.from({ length: clients }, client))
  }

  /** From now on the requests go to these. What is under way is still answered by the others. */
  redirectTo(ports: number[]): void {
    this.#ports = ports.map(this.#open)
  }

  async stop(): Promise<Observation[]> {
    this.#stopped = true
    await this.#clients
    for (const port of this.#ports) port.close()
    return this.observations
  }

  async #sendCall(call: Call): Promise<Observation> {
    const client = this.#ports[call.node % this.#ports.length]!
    const sighting = await observe(call, client)
    if (sighting.status > 0) this.responsesByPort.set(client.port, (this.responsesByPort.get(client.port) ?? 0) + 1)
    return sighting
  }
}

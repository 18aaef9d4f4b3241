import { setTimeout as sleep } from 'node:timers/promises'
import type { Observation } from '../scenarios/admission/invariants.ts'
import type { Call } from '../scenarios/admission/calls.ts'
import { observe } from '../scenarios/admission/observe.ts'
import { Client } from '../../support/http-client.ts'

export type TrafficGeneratorOptions = {
  next: () => Call
  /** Requests per second; by default as many as the clients can send. */
  rate?: number
  clients: number
  /** Handles each observation; by default all are collected in `observations`. */
  onObservation?: (observation: Observation) => void
  /** Whether to retry a request whose keep-alive connection was just closed, as most clients do. */
  retries?: boolean
  timeoutMs?: number
}

/** Sends requests continuously at a given rate to nodes that may change in the meantime. */
export class TrafficGenerator {
  readonly observations: Observation[] = []
  /** Number of responses by port. */
  readonly responsesByPort = new Map<number, number>()
  #ports: Client[]
  #stopped = false
  readonly #clients: Promise<unknown>
  readonly #open: (port: number) => Client

  constructor(
    ports: number[],
    { next, rate = Infinity, clients, onObservation, ...clientOptions }: TrafficGeneratorOptions,
  ) {
    this.#open = (port) => new Client(port, clients, clientOptions)
    this.#ports = ports.map(this.#open)
    const handle = onObservation ?? ((observation: Observation) => void this.observations.push(observation))
    const started = performance.now()
    let sent = 0
    const client = async () => {
      while (!this.#stopped) {
        const due = started + (sent++ / rate) * 1000
        const delayMs = due - performance.now()
        if (delayMs > 0) await sleep(delayMs)
        handle(await this.#sendCall(next()))
      }
    }
    this.#clients = Promise.all(Array.from({ length: clients }, client))
  }

  /** Sends all further requests to these ports. Requests in flight are completed by the previous ones. */
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
    const observation = await observe(call, client)
    if (observation.status > 0) this.responsesByPort.set(client.port, (this.responsesByPort.get(client.port) ?? 0) + 1)
    return observation
  }
}

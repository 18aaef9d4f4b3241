import { setTimeout as sleep } from 'node:timers/promises'
import type { TestAccount } from '../../../support/fixtures.ts'
import type { Client } from '../../../support/http-client.ts'
import type { SeededRandom } from '../../harness/random.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'

const CLIENTS_PER_KEY = 2
const MAX_ATTEMPTS = 50

/** Result for a key that was in continuous use while it was changed. */
export type Outcome = {
  successesBefore: number
  /** Successes of requests that were sent after the change had completed. */
  successesAfter: number
  /** Status of each node's next response. */
  next: number[]
  /** Credits acknowledged but not charged, or charged but not acknowledged; a 503 may have been charged. */
  discrepancy: number
}

/**
 * Sends requests with the key to every node, makes the change meanwhile, and then sends one more request to every node.
 */
export async function changeUnderLoad(
  environment: TestEnvironment,
  ports: Client[],
  random: SeededRandom,
  { key, keyId }: TestAccount,
  change: () => Promise<unknown>,
): Promise<Outcome> {
  const successes: number[] = []
  let unknown = 0
  let running = true
  const send = async (client: Client) => {
    const sentAt = performance.now()
    const headers = { authorization: `Bearer ${key}` }
    const { response } = await client.request({ method: 'GET', target: '/api/v1/catalog/themes', headers })
    if (response?.status === 200) successes.push(sentAt)
    if (response === undefined || response.status === 503) unknown++
    return response?.status ?? 0
  }
  // Like every client, repeat a 503: a busy node sheds load.
  const sendUntilServed = async (client: Client) => {
    for (let attempt = 1; ; attempt++) {
      const status = await send(client)
      if (status !== 503 || attempt === MAX_ATTEMPTS) return status
      await sleep(100)
    }
  }
  const clients = Array.from({ length: CLIENTS_PER_KEY }, async () => {
    while (running) await send(random.pick(ports))
  })
  // Make sure that every node has cached the key as valid.
  await Promise.all(ports.map((port) => send(port)))
  await sleep(random.int(0, 30))
  await change()
  const changedAt = performance.now()
  const next = await Promise.all(ports.map((port) => sendUntilServed(port)))
  running = false
  await Promise.all(clients)
  const used = (await environment.creditsUsed()).get(keyId) ?? 0
  return {
    successesBefore: successes.filter((sentAt) => sentAt < changedAt).length,
    successesAfter: successes.filter((sentAt) => sentAt >= changedAt).length,
    next,
    discrepancy: Math.max(0, successes.length - used, used - successes.length - unknown),
  }
}

/** Runs `work` for every index below `count`, with limited concurrency. */
export async function mapConcurrently<T>(
  count: number,
  concurrency: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  const indexes = Array(count).keys()
  async function worker(): Promise<void> {
    for (const index of indexes) results.push(await work(index))
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}

import type { TestAccount } from '../../support/fixtures.ts'
import type { Client } from '../../support/http-client.ts'
import type { SeededRandom } from '../random.ts'
import type { TestEnvironment } from '../test-environment.ts'

const CLIENTS_PER_KEY = 2

/** What became of a key that was asked all the time while something about it was changed. */
export type Outcome = {
  successesBefore: number
  /** Successes of requests that were sent after the change was done. */
  successesAfter: number
  /** The very next answer of every node. */
  next: number[]
  /** Units acknowledged and not charged, or the other way round. */
  discrepancy: number
}

/** Asks with the key over every node, makes the change meanwhile, and then asks every node once more. */
export async function changeUnderLoad(
  stage: TestEnvironment,
  ports: Client[],
  random: SeededRandom,
  { key, keyId }: TestAccount,
  change: () => Promise<unknown>,
): Promise<Outcome> {
  const successes: number[] = []
  let running = true
  const ask = async (port: Client) => {
    const sentAt = performance.now()
    const headers = { authorization: `Bearer ${key}` }
    const { response } = await port.request({ method: 'GET', target: '/api/v1/catalog/themes', headers })
    if (response?.status === 200) successes.push(sentAt)
    return response?.status ?? 0
  }
  const customers = Array.from({ length: CLIENTS_PER_KEY }, async () => {
    while (running) await ask(random.pick(ports))
  })
  // Every node has come to know the key as a good one.
  await Promise.all(ports.map((port) => ask(port)))
  await sleep(random.int(0, 30))
  await change()
  const changedAt = performance.now()
  const next = await Promise.all(ports.map((port) => ask(port)))
  running = false
  await Promise.all(customers)
  const used = (await stage.creditsUsed()).get(keyId) ?? 0
  return {
    successesBefore: successes.filter((sentAt) => sentAt < changedAt).length,
    successesAfter: successes.filter((sentAt) => sentAt >= changedAt).length,
    next,
    discrepancy: Math.abs(successes.length - used),
  }
}

/** The work for every place below `count`, a few at a time. */
export async function mapConcurrently<T>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  const places = Array(count).keys()
  async function worker(): Promise<void> {
    for (const index of places) results.push(await work(index))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

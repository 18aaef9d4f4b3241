import { setTimeout as sleep } from 'node:timers/promises'

export const LOCK_NOT_AVAILABLE = '55P03'

const RETRY_MS = 500

/** Repeats `work`, which must be safe to repeat, while it fails because a lock was not granted in time. */
export async function retryOnLockTimeout<T>(work: () => Promise<T>, maxAttempts: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === maxAttempts) throw error
      await sleep(RETRY_MS)
    }
  }
}

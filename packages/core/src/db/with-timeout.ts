/**
 * Rejects if `work` takes longer than `ms`, as if PostgreSQL were unavailable. Connecting and querying have their own
 * timeouts, but a caller waits for both.
 */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`timeout exceeded: no database response within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

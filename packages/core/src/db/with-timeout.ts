/**
 * What `work` gives, unless that takes longer than `ms`: then it is given up, as if PostgreSQL were away. Getting a connection and
 * getting an answer each have a limit of their own, but a caller waits for both.
 */
export async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`timeout exceeded: no answer of the database within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

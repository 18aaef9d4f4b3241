/**
 * Lets callers share a read: those that come while one is running wait for it, and its result is reused for another `keepMs`.
 */
export function shareRead<T>(read: () => Promise<T>, keepMs = 0): () => Promise<T> {
  let reading: Promise<T> | undefined
  const forget = () => {
    reading = undefined
  }
  const start = () => {
    const started = read()
    started.then(() => (keepMs === 0 ? forget() : setTimeout(forget, keepMs).unref()), forget)
    return started
  }
  return () => (reading ??= start())
}

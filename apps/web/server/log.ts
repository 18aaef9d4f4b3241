/** One line of JSON on standard error: what happened, the error, and which request it belongs to. Never a request's body. */
export function logError(what: string, error: unknown, requestId?: string): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  const line = { time: new Date().toISOString(), what, message, request_id: requestId, stack }
  process.stderr.write(`${JSON.stringify(line)}\n`)
}

import { appendFileSync, readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Preloaded into an API process: regularly runs a full garbage collection and records the remaining memory. */

const EVERY_MS = 5000
const file = process.env['SAMPLES_FILE']!

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

setInterval(() => {
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  const descriptors = readdirSync('/proc/self/fd').length
  appendFileSync(file, `${JSON.stringify({ at: Date.now(), heap: heapUsed + external, rss, descriptors })}\n`)
}, EVERY_MS).unref()

import { pino } from 'pino'
import { loadConfig } from './config.ts'
import { startApi } from './server.ts'

/**
 * API process: reads the configuration from the environment, starts one server and shuts down gracefully on SIGTERM and
 * SIGINT.
 */
try {
  const config = loadConfig(process.env)
  const log = pino({ level: config.logLevel })
  const api = await startApi(config, log)
  log.info(`serving ${api.baseUrl}`)
  api.ready.catch((error: Error) => {
    log.fatal(error.message)
    process.exit(1)
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info(`received ${signal}, shutting down gracefully`)
      // SIGINT is Ctrl-C in a terminal: there is no load balancer to wait for.
      void api.stop({ drainMs: signal === 'SIGTERM' ? config.drainMs : 0 }).then(() => process.exit(0))
    })
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

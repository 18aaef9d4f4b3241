import { pino } from 'pino'
import { loadConfig } from './config.ts'
import { startApi } from './server.ts'

/** The api process: configuration from the environment, one server, a graceful stop on SIGTERM and SIGINT. */
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
      log.info(`${signal}: finishing what is under way`)
      // Behind Ctrl-C there is no load balancer.
      void api.stop({ drainMs: signal === 'SIGTERM' ? config.drainMs : 0 }).then(() => process.exit(0))
    })
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

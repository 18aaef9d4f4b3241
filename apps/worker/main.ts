import { pino } from 'pino'
import { loadWorkerConfig } from './config.ts'
import { startWorker } from './worker.ts'

/** Worker process: recomputes the market and runs scheduled jobs until SIGTERM or SIGINT. */
try {
  const config = loadWorkerConfig(process.env)
  const log = pino({ level: config.logLevel })
  const worker = await startWorker(config, log)
  log.info('worker started')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info(`received ${signal}, shutting down gracefully`)
      void worker.stop().then(() => process.exit(0))
    })
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

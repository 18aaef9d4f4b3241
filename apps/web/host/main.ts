import { loadWebConfig } from './config.ts'

/**
 * Entry point of the web process: reads the configuration, starts the server, shuts down gracefully on SIGTERM and
 * SIGINT.
 */
try {
  const config = loadWebConfig(process.env)
  // React selects its production build from NODE_ENV at import time, so import the server afterwards.
  process.env['NODE_ENV'] ??= 'production'
  const { startWeb } = await import('./server.ts')
  const web = await startWeb(config)
  process.stdout.write(`serving ${config.publicUrl} on port ${web.port}\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void web.stop().then(() => process.exit(0)))
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

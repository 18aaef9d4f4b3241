import { loadWebConfig } from './config.ts'

/** The web process: configuration from the environment, one server, a graceful stop on SIGTERM and SIGINT. */
try {
  const config = loadWebConfig(process.env)
  // React chooses its production build by this when it is first imported, so the server is imported after it.
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

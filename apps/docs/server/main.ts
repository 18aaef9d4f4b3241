import { loadDocsConfig } from './config.ts'
import { startDocs } from './server.ts'

/** Docs process: reads the configuration from the environment, serves the docs, ends on SIGTERM and SIGINT. */
try {
  const docs = await startDocs(loadDocsConfig(process.env))
  process.stdout.write(`serving ${docs.origin}/docs/\n`)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void docs.stop().then(() => process.exit(0)))
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exit(1)
}

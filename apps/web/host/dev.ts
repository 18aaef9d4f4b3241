import { loadWebConfig } from './config.ts'

/** Entry point of the web process of `npm run dev`: like `main.ts`, but pages come from Vite. */
process.env['NODE_ENV'] ??= 'development'
const { startWeb } = await import('./server.ts')
const { createDevPages } = await import('./dev-pages.ts')
const web = await startWeb(loadWebConfig(process.env), await createDevPages())
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void web.stop().then(() => process.exit(0)))
}

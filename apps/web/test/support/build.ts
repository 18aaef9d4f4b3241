import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Once per run: the application as it will be served. */
export default async function build(): Promise<void> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  // Vitest's own NODE_ENV would make a development build of it.
  await promisify(execFile)('react-router', ['build'], { cwd, env: { ...process.env, NODE_ENV: 'production' } })
}

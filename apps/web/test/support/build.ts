import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Builds the application for production, once per test run. */
export default async function build(): Promise<void> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url))
  // Vitest sets NODE_ENV=test, which would produce a development build.
  await promisify(execFile)('react-router', ['build'], { cwd, env: { ...process.env, NODE_ENV: 'production' } })
}

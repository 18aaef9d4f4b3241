import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, inject } from 'vitest'
import type { Check } from './scenario.ts'

export const CLI_PATH = fileURLToPath(new URL('cli.ts', import.meta.url))

type Outcome = { code: number; report: { scenario: string; seed: number; checks: Check[]; failures?: string[] } }

/**
 * Runs a scenario through the CLI, on the PostgreSQL server that the other tests share, and expects every check to pass
 * that doesn't depend on the speed of the machine.
 */
export async function expectScenarioPasses(...args: string[]): Promise<void> {
  const { code, report } = await runCli([...args, '--ignore-timing'])
  const failed = report.checks.filter((check) => !check.pass && !check.timing)
  expect({ failed, failures: report.failures ?? [] }).toEqual({ failed: [], failures: [] })
  expect(code).toBe(0)
}

function runCli(args: string[]): Promise<Outcome> {
  const env = { ...process.env, TEST_DATABASE_URL: inject('serverUrl') }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [CLI_PATH, ...args, '--json'], { env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const code = error ? Number(error.code) : 0
      if (code > 1 || stdout === '')
        return reject(new Error(`test:system ${args.join(' ')} exited with ${code}: ${stderr}`))
      resolve({ code, report: JSON.parse(stdout) as Outcome['report'] })
    })
  })
}

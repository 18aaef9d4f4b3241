import { spawnSync } from 'node:child_process'

/** Type-checks every package of the repository. */
const PACKAGES = [
  'packages/core',
  'packages/client/src',
  'packages/client',
  'apps/api',
  'apps/worker',
  'apps/ops',
  'apps/web',
  'apps/docs',
  'tools',
  'tests',
]

const tsc = 'node_modules/typescript-7/bin/tsc'
for (const path of PACKAGES) {
  const { status } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', path], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

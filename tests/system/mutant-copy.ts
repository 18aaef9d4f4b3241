import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../support/paths.ts'
import type { Edit, Plant, Planted } from './mutant.ts'

const COPIED = [
  'apps/api',
  'apps/worker',
  'apps/ops',
  'apps/docs/src',
  'packages/core',
  'tools/demo',
  'tools/synthetic',
  'deploy',
  'CHANGELOG.md',
]
const LINKED = { core: 'packages/core', api: 'apps/api' }
const LEFT_OUT = /\.test\.ts$|\/(test|node_modules|\.mutants)$/

/** Copies the service to .mutants/ (inside the repository, so that node_modules is found) and puts the bug in. */
export async function createMutantCopy(plant: Plant): Promise<Planted> {
  const root = join(REPOSITORY, '.mutants', `${plant.name}-${process.pid}`)
  await rm(root, { recursive: true, force: true })
  for (const part of COPIED) {
    await cp(join(REPOSITORY, part), join(root, part), { recursive: true, filter: (path) => !LEFT_OUT.test(path) })
  }
  // Without these links, the copied apps would load the original core from the repository's node_modules.
  await mkdir(join(root, 'node_modules/@brickmark'), { recursive: true })
  for (const [name, part] of Object.entries(LINKED)) {
    await symlink(join(root, part), join(root, 'node_modules/@brickmark', name))
  }
  for (const change of plant.edits) await edit(plant.name, join(root, change.file), change)
  return {
    root,
    inSchema: plant.edits.some(({ file }) => file.startsWith('packages/core/migrations/')),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

async function edit(plant: string, path: string, change: Edit): Promise<void> {
  if ('add' in change) return writeFile(path, change.add)
  const { find, replace } = change
  const text = await readFile(path, 'utf8')
  const times = text.split(find).length - 1
  if (times !== 1) {
    throw new Error(
      `The plant ${plant} must find its text exactly once in ${path}, but found it ${times} times:\n${find}`,
    )
  }
  await writeFile(
    path,
    text.replace(find, () => replace),
  )
}

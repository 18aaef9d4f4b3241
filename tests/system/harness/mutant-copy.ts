import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../../support/paths.ts'
import type { SourceEdit, Mutant, MutantCopy } from './mutant.ts'

const COPIED = [
  'apps/api',
  'apps/docs/package.json',
  'apps/docs/server',
  'apps/worker',
  'apps/ops',
  'apps/web/package.json',
  'apps/web/host',
  'packages/core',
  'tools/demo',
  'tools/synthetic',
  'deploy',
]
const LINKED = { core: 'packages/core', api: 'apps/api' }
const EXCLUDED = /\.test\.ts$|\/(test|node_modules|\.mutants)$/

/** Copies the service to .mutants/, inside the repository so that node_modules is found, and applies the mutant. */
export async function createMutantCopy(mutant: Mutant): Promise<MutantCopy> {
  const root = join(REPOSITORY, '.mutants', `${mutant.name}-${process.pid}`)
  await rm(root, { recursive: true, force: true })
  for (const part of COPIED) {
    await cp(join(REPOSITORY, part), join(root, part), { recursive: true, filter: (path) => !EXCLUDED.test(path) })
  }
  await linkWorkspaces(root)
  for (const change of mutant.edits) await edit(mutant.name, join(root, change.file), change)
  return {
    root,
    inSchema: mutant.edits.some(({ file }) => file.startsWith('packages/core/migrations/')),
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** Makes a copy of the service import its own packages: otherwise it would load those of the repository. */
export async function linkWorkspaces(root: string): Promise<void> {
  await mkdir(join(root, 'node_modules/@brickmark'), { recursive: true })
  for (const [name, part] of Object.entries(LINKED)) {
    await symlink(join(root, part), join(root, 'node_modules/@brickmark', name))
  }
}

async function edit(mutant: string, path: string, edit: SourceEdit): Promise<void> {
  if ('add' in edit) return writeFile(path, edit.add)
  const { find, replace } = edit
  const text = await readFile(path, 'utf8')
  const matches = text.split(find).length - 1
  if (matches !== 1) {
    throw new Error(`Mutant ${mutant}: expected exactly one match in ${path}, found ${matches}:\n${find}`)
  }
  await writeFile(
    path,
    text.replace(find, () => replace),
  )
}

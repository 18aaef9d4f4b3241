import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Edit, Plant } from './proof.ts'

/** The service as it is. */
export const SERVICE = fileURLToPath(new URL('../..', import.meta.url))

/** A copy of the service with a bug in it. */
export type Planted = {
  root: string
  /** Whether the bug is in the schema, so that no other run's database will do. */
  inSchema: boolean
  remove(): Promise<void>
}

/** Copies the service to .planted/ (inside the repository, so that node_modules is found) and puts the bug in. */
export async function plantInCopy(plant: Plant): Promise<Planted> {
  const copy = join(SERVICE, '.planted', `${plant.name}-${process.pid}`)
  const root = join(copy, 'service')
  await rm(copy, { recursive: true, force: true })
  await mkdir(root, { recursive: true })
  await cp(join(SERVICE, '../deploy'), join(copy, 'deploy'), { recursive: true })
  for (const part of ['src', 'migrations', 'package.json']) {
    await cp(join(SERVICE, part), join(root, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    })
  }
  for (const change of plant.edits) await edit(plant.name, join(root, change.file), change)
  return {
    root,
    inSchema: plant.edits.some(({ file }) => file.startsWith('migrations/')),
    remove: () => rm(copy, { recursive: true, force: true }),
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

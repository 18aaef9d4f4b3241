import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** Path of the system's Node, usually 20, the oldest version the client supports; falls back to the running Node. */
export function systemNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return folders.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath
}

/**
 * Returns the paths of the running Node, the system's Node, and with NODE_VERSIONS=20,22,24 those versions, which npm
 * installs into a folder.
 */
export async function findNodes(folder: string): Promise<string[]> {
  const found = [process.execPath, systemNode()]
  for (const version of process.env['NODE_VERSIONS']?.split(',') ?? []) {
    const prefix = join(folder, `node-${version}`)
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefix', prefix, `node@${version}`])
    found.push(join(prefix, 'node_modules/node/bin/node'))
  }
  return [...new Set(found)]
}

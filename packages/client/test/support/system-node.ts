import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of the system's Node, usually 20, the oldest version the client supports; falls back to the running Node. */
export function systemNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return folders.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath
}

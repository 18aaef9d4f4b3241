import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The system's Node, most often 20: the oldest that the kit runs on. This one, if there is none. */
export function systemNode(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return folders.map((path) => join(path, 'node')).find((path) => existsSync(path)) ?? process.execPath
}

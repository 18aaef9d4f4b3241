import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PositionEncoding, Workspace, type Diagnostic } from '@astral-sh/ruff-wasm-nodejs'

/**
 * Lints a Python package and checks its format with Ruff, which npm has as WebAssembly, with the settings of its
 * pyproject.toml: `node tools/checks/ruff.ts packages/client-python [--fix]`. With --fix, formats the files.
 */

const [directory = '.', ...flags] = process.argv.slice(2)
const read = 'import json, sys, tomllib; print(json.dumps(tomllib.load(sys.stdin.buffer)["tool"]["ruff"]))'
const settings = JSON.parse(
  execFileSync('/usr/bin/python3', ['-c', read], {
    input: readFileSync(join(directory, 'pyproject.toml')),
    encoding: 'utf8',
  }),
) as { exclude: string[] }
const workspace = new Workspace(settings, PositionEncoding.Utf16)
const files = globSync('{src,tests}/**/*.py', { cwd: directory }).filter((file) => !settings.exclude.includes(file))

let problems = 0
for (const file of files.toSorted()) {
  const path = join(directory, file)
  const text = readFileSync(path, 'utf8')
  for (const { code, message, start_location: at } of workspace.check(text) as Diagnostic[]) {
    problems++
    console.error(`${path}:${at.row}:${at.column} ${code ?? ''} ${message}`)
  }
  const formatted = workspace.format(text)
  if (formatted === text) continue
  if (flags.includes('--fix')) {
    writeFileSync(path, formatted)
    console.log(`${path}: formatted`)
  } else {
    problems++
    console.error(`${path}: not formatted; run \`node tools/checks/ruff.ts ${directory} --fix\``)
  }
}
console.log(`ruff ${Workspace.version()}: ${files.length} files, ${problems} problems`)
process.exitCode = problems === 0 && files.length > 0 ? 0 : 1

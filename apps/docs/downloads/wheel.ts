import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { zipSync } from 'fflate'
import { parse } from 'smol-toml'

const SDK = new URL('../../../packages/client-python/', import.meta.url)

type Project = {
  name: string
  description: string
  license: string
  'requires-python': string
  keywords: string[]
  classifiers: string[]
  urls: Record<string, string>
  'optional-dependencies': Record<string, string[]>
}

/**
 * Builds the wheel of the Python SDK, so that operators don't need Python. A release is built with Hatchling;
 * `test.sh` of the SDK checks that both have the same content.
 */
export function buildWheel(): { name: string; bytes: Uint8Array } {
  const { project } = parse(read('pyproject.toml')) as unknown as { project: Project }
  const version = /SDK_VERSION = "([^"]+)"/.exec(read('src/brickmark/_types.py'))![1]!
  const info = `${project.name}-${version}.dist-info`
  const modules = readdirSync(new URL('src/brickmark/', SDK))
    .filter((file) => /\.(py|typed)$/.test(file))
    .toSorted()
  const files: Record<string, string> = {
    ...Object.fromEntries(modules.map((file) => [`brickmark/${file}`, read(`src/brickmark/${file}`)])),
    [`${info}/METADATA`]: metadata(project, version),
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: brickmark\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/licenses/LICENSE`]: read('LICENSE'),
  }
  files[`${info}/RECORD`] = [...Object.entries(files).map(recordLine), `${info}/RECORD,,\n`].join('')
  const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const)
  // The day is part of a zip file. A fixed one makes the same source give the same bytes.
  const bytes = zipSync(Object.fromEntries(contents), { mtime: new Date(2020, 1, 2) })
  return { name: `${project.name}-${version}-py3-none-any.whl`, bytes }
}

function read(path: string): string {
  return readFileSync(new URL(path, SDK), 'utf8')
}

function metadata(project: Project, version: string): string {
  const extras = Object.entries(project['optional-dependencies']).flatMap(([extra, packages]) => [
    ['Provides-Extra', extra],
    ...packages.map((name) => ['Requires-Dist', `${name}; extra == '${extra}'`]),
  ])
  const fields = [
    ['Metadata-Version', '2.1'],
    ['Name', project.name],
    ['Version', version],
    ['Summary', project.description],
    ...Object.entries(project.urls).map(([name, url]) => ['Project-URL', `${name}, ${url}`]),
    ['License-Expression', project.license],
    ['License-File', 'LICENSE'],
    ['Keywords', project.keywords.join(',')],
    ...project.classifiers.map((classifier) => ['Classifier', classifier]),
    ['Requires-Python', project['requires-python']],
    ...extras,
    ['Description-Content-Type', 'text/markdown'],
  ]
  return `${fields.map(([name, value]) => `${name}: ${value}\n`).join('')}\n${read('README.md')}`
}

function recordLine([name, text]: [string, string]): string {
  return `${name},sha256=${hash('sha256', text, 'base64url')},${Buffer.byteLength(text)}\n`
}

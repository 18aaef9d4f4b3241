import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'

const LIBRARIES = ['index', 'exports', 'webhooks']

/**
 * The SDK, its exports and webhooks without dependencies, for any bundler or browser and for `require`, and the CLI with all
 * dependencies bundled.
 */
export default defineConfig([
  ...LIBRARIES.map((name) => ({
    input: `src/${name}.ts`,
    platform: 'neutral' as const,
    output: [
      { file: `dist/${name}.js`, format: 'esm' as const },
      { file: `dist/cjs/${name}.js`, format: 'cjs' as const },
    ],
  })),
  {
    input: 'src/cli/main.ts',
    platform: 'node',
    transform: { target: 'node20' },
    output: { dir: 'dist/cli', format: 'esm', minify: true, chunkFileNames: '[name].js' },
    plugins: [licenses()],
  },
])

/** Emits the license texts of bundled packages, which their licenses require. */
function licenses(): Plugin {
  return {
    name: 'licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      const folders = new Set(modules.filter((id) => id.includes('/node_modules/')).map(packageFolder))
      const texts = [...folders].toSorted().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
        const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
        return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`
      })
      const heading = 'What is in dist/cli contains code of these packages.'
      this.emitFile({
        type: 'asset',
        fileName: 'LICENSES.txt',
        source: [heading, ...texts].join(`\n${'-'.repeat(80)}\n\n`),
      })
    },
  }
}

type Manifest = { name: string; version: string; license: string }

function packageFolder(module: string): string {
  let folder = dirname(module)
  while (!existsSync(join(folder, 'package.json')) || !hasName(folder)) folder = dirname(folder)
  return folder
}

/** Some packages have a nested package.json without name or version that only sets the module type. */
function hasName(folder: string): boolean {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Partial<Manifest>).version !== undefined
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { AstroIntegration } from 'astro'

/** What remains to be done with the files that Astro has written. Must be the last integration. */
export function finishBuild(): AstroIntegration {
  return {
    name: 'finish-build',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const files = readdirSync(dir, { recursive: true, encoding: 'utf8' })
        inlineCodeStyles(dir, files)
        precompress(dir, files)
      },
    },
  }
}

/**
 * Moves the styles of code samples into the pages, like all others. Expressive Code has an option for it, but in MDX
 * pages that writes `<style set:html="…">`, which no browser understands.
 */
function inlineCodeStyles(dir: URL, files: string[]): void {
  const file = files.find((file) => /^ec\.\w+\.css$/.test(basename(file)))
  if (file === undefined) throw new Error('Expressive Code wrote no stylesheet.')
  const style = `<style>${readFileSync(new URL(file, dir), 'utf8')}</style>`
  const link = `<link rel="stylesheet" href="/docs/${file}">`
  for (const page of files.filter((file) => file.endsWith('.html'))) {
    const path = new URL(page, dir)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll(link, () => style),
    )
  }
}

/** Writes compressed copies of scripts and styles. The API compresses pages itself, after it has filled in its address. */
function precompress(dir: URL, files: string[]): void {
  for (const file of files.filter((file) => /\.(js|css|svg|json)$/.test(file))) {
    const path = new URL(file, dir)
    const content = readFileSync(path)
    writeFileSync(`${path.pathname}.br`, brotliCompressSync(content))
    writeFileSync(`${path.pathname}.gz`, gzipSync(content))
  }
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { AstroIntegration } from 'astro'

/** Writes compressed copies of scripts and styles. The API compresses pages itself, after it has filled in its address. */
export function precompress(): AstroIntegration {
  return {
    name: 'precompress',
    hooks: {
      'astro:build:done': ({ dir }) => {
        for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
          if (!/\.(js|css|svg|json)$/.test(file)) continue
          const path = new URL(file, dir)
          const content = readFileSync(path)
          writeFileSync(`${path.pathname}.br`, brotliCompressSync(content))
          writeFileSync(`${path.pathname}.gz`, gzipSync(content))
        }
      },
    },
  }
}

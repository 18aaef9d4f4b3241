import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AstroIntegration } from 'astro'
import { endpointPage, endpointsIndexPage, schemasPage } from './endpoint-page.ts'
import { operations, pageOf } from './openapi.ts'
import { CONTENT, REPOSITORY } from './paths.ts'

/** Writes the pages that aren't written by hand: the API reference, from openapi.json, and the changelog. */
export function generatedPages(): AstroIntegration {
  return { name: 'generated-pages', hooks: { 'astro:config:setup': generatePages } }
}

function generatePages(): void {
  rmSync(new URL('endpoints/', CONTENT), { recursive: true, force: true })
  mkdirSync(new URL('endpoints/', CONTENT), { recursive: true })
  for (const operation of operations) write(`${pageOf(operation)}.mdx`, endpointPage(operation))
  write('endpoints.md', endpointsIndexPage())
  write('schemas.md', schemasPage())
  write('changelog.md', changelogPage())
}

function changelogPage(): string {
  const markdown = readFileSync(new URL('CHANGELOG.md', REPOSITORY), 'utf8')
  return markdown
    .replace(/^# (.+)\n\n(.+)\n/, (_, title: string, intro: string) => {
      return `---\ntitle: ${title}\ndescription: Changes to the public API, newest first.\n---\n\n${intro}\n`
    })
    .replaceAll('](apps/docs/src/content/docs/', '](')
}

function write(name: string, text: string): void {
  writeFileSync(new URL(name, CONTENT), text)
}

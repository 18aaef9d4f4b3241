import { readdirSync, readFileSync } from 'node:fs'

/** One page of the portal, at /docs/NAME and, as it was written, at /docs/NAME.md. */
export type Page = { name: string; group: string; title: string; markdown: string }

/** Where the API is, and the account application if there is one. */
export type SiteUrls = { origin: string; webUrl: string | undefined }

const REPOSITORY = new URL('../../../', import.meta.url)
const GUIDES = 'apps/docs/src/content/docs'

/** The order of reading. A guide that is not named here comes last among the tools. */
const GROUPS: [group: string, names: string[]][] = [
  ['Start here', ['quickstart', 'api-keys-and-quota', 'reduce-usage']],
  ['Guides', ['pagination', 'errors', 'values', 'track-prices', 'import-export', 'account-export-format']],
  ['Tools', ['sdk-typescript', 'sdk-python', 'cli', 'mcp', 'google-sheets', 'excel']],
  ['Reference', ['endpoints', 'valuation', 'accuracy', 'changelog']],
]

/** Every guide there is, the changelog and the `endpoints` given, in the order of reading. */
export function loadPages(endpoints: string, home: SiteUrls): Page[] {
  const markdownByName = new Map([...loadGuides(), ['endpoints', endpoints], ['changelog', read('CHANGELOG.md')]])
  const listed = new Set(GROUPS.flatMap(([, names]) => names))
  const unlisted = [...markdownByName.keys()].filter((name) => !listed.has(name))
  return GROUPS.flatMap(([group, names]) => [
    ...names.map((name) => ({ group, name })),
    ...(group === 'Tools' ? unlisted.map((name) => ({ group, name })) : []),
  ]).flatMap(({ group, name }) => {
    const text = markdownByName.get(name)
    return text === undefined ? [] : [{ name, group, title: titleOf(text), markdown: rewriteUrls(text, home) }]
  })
}

function loadGuides(): [string, string][] {
  return readdirSync(new URL(GUIDES, REPOSITORY))
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.slice(0, -'.md'.length), read(`${GUIDES}/${file}`)])
}

function read(path: string): string {
  return readFileSync(new URL(path, REPOSITORY), 'utf8')
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? ''
}

/** The files lie in several folders and speak of an API and an application that are examples; the pages do neither. */
function rewriteUrls(markdown: string, { origin, webUrl }: SiteUrls): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\(https:\/\/app\.brickmark\.example\)/g, webUrl === undefined ? '$1' : `[$1](${webUrl})`)
    .replaceAll(/\]\((?:\.\.\/)*(?:[\w-]+\/)*([\w-]+)\.md/g, (_, name: string) => `](${name.toLowerCase()}.md`)
    .replaceAll('https://api.brickmark.example', origin)
}

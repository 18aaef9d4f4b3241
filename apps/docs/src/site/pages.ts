import { readdirSync, readFileSync } from 'node:fs'
import { CONTENT } from './paths.ts'

/** One page, at /docs/NAME and as Markdown at /docs/NAME.md. */
export type Page = { name: string; title: string; description: string; markdown: string }

/** Reads all pages, with the generated ones. */
export function loadPages(): Page[] {
  return readdirSync(CONTENT, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.mdx?$/.test(file))
    .sort()
    .map((file) => {
      const [, frontmatter = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(
        readFileSync(new URL(file, CONTENT), 'utf8'),
      )!
      const field = (name: string) => unquote(new RegExp(`^${name}: (.*)$`, 'm').exec(frontmatter)?.[1] ?? '')
      const title = field('title')
      const markdown = `# ${title}\n\n${toMarkdown(body).trim()}\n`
      return { name: file.replace(/\.mdx?$/, ''), title, description: field('description'), markdown }
    })
}

function unquote(value: string): string {
  return value.startsWith('"') ? (JSON.parse(value) as string) : value
}

/** Turns MDX into Markdown: tabs become a label and their content, cards a list of links, asides quotes; forms are left out. */
function toMarkdown(mdx: string): string {
  return mdx
    .replaceAll(/^import .* from '(@astrojs\/|\.\.\/).*\n/gm, '')
    .replaceAll(/^<Endpoint method="(.*?)" path="(.*?)" cost="(.*?)" \/>$/gm, '`$1 $2`\n\n**Cost:** $3.')
    .replaceAll(/^## Try it\n\n<TryIt .*\n/gm, '')
    .replaceAll(
      /^<LinkCard\s+title="(.*?)"\s+href="(.*?)"\s+description="(.*?)"\s*\/>$/gms,
      (_, title, href, about) => {
        return `- [${title}](${href}): ${about}`
      },
    )
    .replaceAll(/^:::\w+\[(.*?)\]\n(.*?)\n:::$/gms, (_, title: string, text: string) => {
      return `> **${title}** ${text.replaceAll('\n', '\n> ')}`
    })
    .replaceAll(/^<TabItem label="(.*?)">$/gm, '**$1**')
    .replaceAll(/^<\/?(Tabs|TabItem|CardGrid|div).*>\n/gm, '')
    .replaceAll(/\\([{<])/g, '$1')
    .replaceAll(/(\]\([\w./-]+\.md)x/g, '$1')
    .replaceAll(/\n{3,}/g, '\n\n')
}

import { fileURLToPath } from 'node:url'
import { relative } from 'node:path'
import type { AstroIntegration } from 'astro'
import { CONTENT } from './paths.ts'

/** The part of an HTML syntax tree that the plugins below use. */
type Element = { tagName: string; properties?: Record<string, unknown>; children: unknown[] }
type Context = {
  textContent(element: Element): string
  setProperty(element: Element, name: string, value: unknown): void
  wrapNode(element: Element, parent: object): void
}
type Plugin = { name: string; element: { filter: string[]; visit(element: Element, context: Context): unknown }[] }

/** Adds what our Markdown needs on top of Astro's. Must come before Starlight, which adds links to headings. */
export function markdownPlugins(): AstroIntegration {
  return {
    name: 'markdown-plugins',
    hooks: {
      'astro:config:setup': ({ config }) => {
        const { hastPlugins } = config.markdown.processor.options as { hastPlugins: unknown[] }
        hastPlugins.push(headingIds, tablesThatScroll, ({ fileURL }: { fileURL?: URL }) => links(fileURL))
      },
    },
  }
}

/** A heading that is one word of code keeps its spelling: errors link to `/docs/errors#QuotaExceeded`. */
const headingIds: Plugin = {
  name: 'heading-ids',
  element: [
    {
      filter: ['h2', 'h3', 'h4'],
      visit(node, context) {
        const [only, ...others] = node.children as Element[]
        const text = context.textContent(node)
        if (only?.tagName === 'code' && others.length === 0 && /^\w+$/.test(text)) context.setProperty(node, 'id', text)
      },
    },
  ],
}

/** A table that is too wide scrolls on its own. It's focusable, so that it can be scrolled with the keyboard. */
const tablesThatScroll: Plugin = {
  name: 'tables-that-scroll',
  element: [
    {
      filter: ['table'],
      visit(node, context) {
        context.wrapNode(node, {
          type: 'element',
          tagName: 'div',
          properties: { className: ['table-scroll'], tabIndex: 0, role: 'group', ariaLabel: 'Table' },
          children: [],
        })
      },
    },
  ],
}

/** Pages link to each other as files, which also works on GitHub: `errors.md#NotFound` is `/docs/errors#NotFound`. */
function links(fileURL: URL | undefined): Plugin {
  return {
    name: 'links',
    element: [
      {
        filter: ['a'],
        visit(node, context) {
          const href = node.properties?.['href']
          if (fileURL === undefined || typeof href !== 'string' || !/^[\w./-]+\.mdx?(#|$)/.test(href)) return
          const target = new URL(href, fileURL)
          const name = relative(fileURLToPath(CONTENT), fileURLToPath(target)).replace(/\.mdx?$/, '')
          context.setProperty(node, 'href', `/docs/${name === 'index' ? '' : name}${target.hash}`)
        },
      },
    ],
  }
}

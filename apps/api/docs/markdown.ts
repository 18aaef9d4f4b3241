import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from './html.ts'

for (const [name, language] of Object.entries({ sh: bash, http, js: javascript, json, python, ts: typescript })) {
  hljs.registerLanguage(name, language)
}

/** What stands under one heading, as plain text: what is said, and what is shown in blocks of code. */
export type Section = { id: string; title: string; depth: number; prose: string; codeText: string }

/** What a block of code is called, by the language after its fence. */
const CODE_BLOCK_LABELS: Record<string, string> = {
  sh: 'Terminal',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  http: 'HTTP',
  'json response': 'Response',
  'text output': 'Output',
}

/** Markdown as HTML. Pages link to each other as files do. */
export function renderMarkdown(markdown: string): string {
  const sections = splitSections(markdown)
  let sectionIndex = -1
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const { id, title } = sections[++sectionIndex]!
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inner}</h1>\n`
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to “${escapeHtml(title)}”">#</a></h${depth}>\n`
      },
      code({ text, lang = '' }) {
        const [language = ''] = lang.split(' ')
        const code = hljs.getLanguage(language) ? hljs.highlight(text, { language }).value : escapeHtml(text)
        const label = CODE_BLOCK_LABELS[lang] ?? ''
        const kind = ['sh', 'js', 'ts', 'python'].includes(language) ? 'code' : 'code shown'
        // Focusable, so that what does not fit can be scrolled to with the keyboard.
        return `<div class="${kind}"><p>${label}</p><pre tabindex="0"><code>${code}</code></pre></div>\n`
      },
      table({ header, rows }) {
        // A corner with nothing in it heads nothing.
        const cell = ({ tokens, text, header }: Tokens.TableCell) => {
          const tag = header && text !== '' ? 'th' : 'td'
          return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
        }
        const row = (cells: Tokens.TableCell[]) => `<tr>${cells.map(cell).join('')}</tr>`
        const body = rows.map(row).join('\n')
        const label = escapeHtml(`Table: ${sections[sectionIndex]?.title ?? ''}`)
        return `<div class="table" tabindex="0" role="group" aria-label="${label}"><table><thead>${row(header)}</thead><tbody>${body}</tbody></table></div>\n`
      },
      link({ href, tokens }) {
        const target = href.replace(/^([\w-]+)\.md/, '/docs/$1')
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`
      },
      html: ({ text }) => escapeHtml(text),
    },
  })
  return marked.parse(markdown, { async: false })
}

/** A page cut at its headings. */
export function splitSections(markdown: string): Section[] {
  const sections: Section[] = []
  const ids = new Set<string>()
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading') {
      const { tokens, depth } = token as Tokens.Heading
      const id = headingId(tokens, ids)
      ids.add(id)
      sections.push({ id, title: plainText(tokens), depth, prose: '', codeText: '' })
    } else {
      const section = sections.at(-1)
      if (section) section[token.type === 'code' ? 'codeText' : 'prose'] += `${plainText([token])} `
    }
  }
  return sections
}

/** A heading that is one word of code keeps its spelling: the code of an error is its anchor. */
function headingId(tokens: Token[], usedIds: Set<string>): string {
  const title = plainText(tokens)
  const isName = tokens.length === 1 && tokens[0]?.type === 'codespan' && /^\w+$/.test(title)
  const slug = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const plain = isName ? title : slug
  let id = plain
  for (let copy = 2; usedIds.has(id); copy++) id = `${plain}-${copy}`
  return id
}

function plainText(tokens: Token[]): string {
  return tokens
    .map((token): string => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows].map((cells) => cells.map((cell) => plainText(cell.tokens)).join(' ')).join(' · ')
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
      if ('tokens' in token && token.tokens) return plainText(token.tokens)
      return 'text' in token ? (token.text as string) : ''
    })
    .join('')
}

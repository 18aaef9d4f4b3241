import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { marked } from 'marked'

const PAGES = { terms: 'Terms of service', privacy: 'Privacy policy', imprint: 'Imprint' } as const
type LegalPageName = keyof typeof PAGES

/** `version` is a hash of the text, to tell which one somebody agreed to. */
type LegalPage = { name: LegalPageName; title: string; html: string; version: string }

/** The operator's legal pages. They are trusted: whoever writes them also configures this process. */
export class LegalPages {
  readonly #pages: LegalPage[]

  constructor(pages: LegalPage[]) {
    this.#pages = pages
  }

  /** Reads terms.md, privacy.md and imprint.md from a folder; each of them may be missing. */
  static async load(folder: string | undefined): Promise<LegalPages> {
    if (folder === undefined) return new LegalPages([])
    const names = Object.keys(PAGES) as LegalPageName[]
    const pages = await Promise.all(
      names.map(async (name) => {
        const text = await readFile(join(folder, `${name}.md`), 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined
          throw error
        })
        return text === undefined
          ? []
          : [{ name, title: PAGES[name], html: await marked.parse(text), version: hash(text) }]
      }),
    )
    return new LegalPages(pages.flat())
  }

  titles(): Pick<LegalPage, 'name' | 'title'>[] {
    return this.#pages.map(({ name, title }) => ({ name, title }))
  }

  find(name: string): LegalPage | undefined {
    return this.#pages.find((page) => page.name === name)
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

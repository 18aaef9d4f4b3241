import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Asset, createAsset } from './asset.ts'

export type SiteUrls = {
  /** Where the API is. */
  origin: string
  /** Where the web app is, if there is one. */
  webUrl: string | undefined
}

/** A file of the site, with the scripts and styles inside it that its content security policy must allow. */
export type SiteFile = { asset: Asset; scripts: string[]; styles: string[] }

const ARCHIVE_TYPES: Record<string, string> = { tgz: 'application/gzip', whl: 'application/zip' }
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
  gs: 'text/plain; charset=utf-8',
  pq: 'text/plain; charset=utf-8',
  ...ARCHIVE_TYPES,
}

const DOWNLOADS = 'downloads/'

/** Example addresses in the pages, which are replaced by those of this service. */
const API_EXAMPLE = 'https://api.brickmark.example'
const WEB_EXAMPLE = 'https://app.brickmark.example'

/** The pages and downloads of the docs site, as `npm run build -w apps/docs` leaves them. Each is read on first request. */
export class StaticSite {
  readonly root: URL
  readonly #urls: SiteUrls
  /** All of them. A request can't read any other file. */
  readonly #files: Set<string>
  readonly #cache = new Map<string, Promise<SiteFile>>()

  constructor(root: URL, urls: SiteUrls) {
    this.root = root
    this.#urls = urls
    const files = existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []
    this.#files = new Set(files.filter((file) => typeOf(file) !== undefined))
  }

  /** Whether the site has been built. */
  get exists(): boolean {
    return this.#files.size > 0
  }

  /** Returns the page or file at a path below /docs/, with or without a slash at the end. */
  find(path: string): Promise<SiteFile> | undefined {
    const name = path.replace(/\/$/, '')
    const file = [name, `${name}/index.html`, ...(name === '' ? ['index.html'] : [])].find((file) =>
      this.#files.has(file),
    )
    return file === undefined ? undefined : this.#load(file)
  }

  notFound(): Promise<SiteFile> {
    return this.#load('404.html')
  }

  /** Returns the checksums of all downloads, as `sha256sum --check` reads them. */
  async checksums(): Promise<string> {
    const names = [...this.#files].filter((file) => file.startsWith(DOWNLOADS) && !file.endsWith('.html')).toSorted()
    const files = await Promise.all(names.map((name) => this.#load(name)))
    const lines = files.map(({ asset }, index) => {
      return `${hash('sha256', asset.plain)}  ${names[index]!.slice(DOWNLOADS.length)}\n`
    })
    return lines.join('')
  }

  #load(file: string): Promise<SiteFile> {
    let loaded = this.#cache.get(file)
    if (!loaded) {
      loaded = readFile(new URL(file, this.root)).then((content) => {
        if (isArchive(file)) return { asset: createAsset(typeOf(file)!, content), scripts: [], styles: [] }
        const filled = fillIn(content.toString(), this.#urls)
        const [scripts, styles] = [hashesOf(filled, 'script'), hashesOf(filled, 'style')]
        return { asset: createAsset(typeOf(file)!, filled), scripts, styles }
      })
      this.#cache.set(file, loaded)
    }
    return loaded
  }
}

function typeOf(file: string): string | undefined {
  if (file === 'changelog.xml') return 'application/atom+xml; charset=utf-8'
  return TYPES[extension(file)]
}

function isArchive(file: string): boolean {
  return extension(file) in ARCHIVE_TYPES
}

function extension(file: string): string {
  return file.split('.').at(-1)!
}

/** Puts the addresses of this service in place of the examples. Without a web app, nothing links to one. */
function fillIn(text: string, { origin, webUrl }: SiteUrls): string {
  const withWebUrl =
    webUrl === undefined
      ? text
          .replaceAll(/<a [^>]*\bdata-web-app\b[^>]*>.*?<\/a>/gs, '')
          .replaceAll(new RegExp(`<a href="${WEB_EXAMPLE}"[^>]*>(.*?)</a>`, 'gs'), '$1')
          .replaceAll(new RegExp(`\\[([^\\]]+)\\]\\(${WEB_EXAMPLE}\\)`, 'g'), '$1')
      : text.replaceAll(WEB_EXAMPLE, () => encodeURI(webUrl))
  return withWebUrl.replaceAll(API_EXAMPLE, () => origin)
}

/**
 * Returns the sources of all elements of a kind that have their content in the page: Starlight sets the theme that way, so
 * that it doesn't flash, and Astro the styles, so that the first paint doesn't wait for another request.
 */
function hashesOf(html: string, tag: 'script' | 'style'): string[] {
  const elements = html.matchAll(new RegExp(`<${tag}(?![^>]*\\bsrc=)[^>]*>(.*?)</${tag}>`, 'gs'))
  return [...new Set(Array.from(elements, ([, content]) => `'sha256-${hash('sha256', content!, 'base64')}'`))]
}

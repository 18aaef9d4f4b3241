import { hash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { Piscina } from 'piscina'
import { previewSvg } from '@brickmark/art/preview'
import { log } from './log.ts'

/** About 40 kB each. */
const MAX_IN_MEMORY = 200
const MAX_QUEUE = 20
const MAX_HEAP_MB = 96

/** Thrown if too many pictures wait to be drawn. */
export class PreviewsBusyError extends Error {}

/**
 * Renders pictures for link previews, one at a time and in a worker thread, so that a crawler can't slow down pages. Keeps the
 * latest in memory and, if a folder is configured, all of them on disk.
 */
export class PreviewPictures {
  readonly #latest = new LRUCache<string, Promise<Uint8Array>>({ max: MAX_IN_MEMORY })
  readonly #pool = new Piscina<string, Uint8Array>({
    filename: new URL('./preview-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    maxQueue: MAX_QUEUE,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 8 },
  })
  readonly #folder: string | undefined

  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** Returns the picture of an item as a PNG. `drawIllustration` is only called if the picture isn't in memory. */
  get(key: string, drawIllustration: () => string, theme: string): Promise<Uint8Array> {
    const known = this.#latest.get(key)
    if (known) return known
    const picture = this.#read(previewSvg(drawIllustration(), theme))
    this.#latest.set(key, picture)
    // Don't cache a failure.
    picture.catch(() => this.#latest.delete(key))
    return picture
  }

  async close(): Promise<void> {
    await this.#pool.destroy()
  }

  async #read(svg: string): Promise<Uint8Array> {
    // Named by a hash of its content, so that a picture that changes is rendered again.
    const file = this.#folder === undefined ? undefined : join(this.#folder, `${hash('sha256', svg)}.png`)
    const saved = file === undefined ? undefined : await readFile(file).catch(() => undefined)
    if (saved) return saved
    const drawn = await this.#draw(svg)
    if (file !== undefined) await this.#save(file, drawn)
    return drawn
  }

  async #draw(svg: string): Promise<Uint8Array> {
    try {
      return await this.#pool.run(svg)
    } catch (error) {
      throw (error as Error).message === 'Task queue is at limit' ? new PreviewsBusyError() : error
    }
  }

  /** A failure is only logged: the picture is rendered again next time. */
  async #save(file: string, picture: Uint8Array): Promise<void> {
    try {
      await mkdir(this.#folder!, { recursive: true })
      const unfinished = `${file}.${randomUUID()}`
      await writeFile(unfinished, picture)
      await rename(unfinished, file)
    } catch (error) {
      log.warn({ err: error }, 'failed to save a preview picture')
    }
  }
}

import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Database } from '@brickmark/core/db/database'
import { findSets } from '@brickmark/core/catalog/set-queries'
import { loadMinifigs } from '@brickmark/core/market/minifig-record-queries'
import { drawSet } from './art/brick-art.ts'
import { drawMinifig } from './art/minifig-art.ts'
import { drawPreview } from './art/preview.ts'
import type { WebConfig } from './config.ts'
import type { Services } from './services.ts'

type NumberParams = { Params: { number: string } }

const CACHE_CONTROL = 'public, max-age=86400'
/** Decorates pages that show no set of the catalog. */
const EXAMPLES = new Map(
  [
    { number: 'lighthouse', title: 'Lighthouse', theme: 'Harbour Row', pieces: 300 },
    { number: 'treehouse', title: 'Tree House', theme: 'Verdant Expedition', pieces: 300 },
    { number: 'tugboat', title: 'Tugboat', theme: 'Tidepool Deep', pieces: 300 },
    { number: 'castle', title: 'Castle', theme: 'Stonecrown Keep', pieces: 600 },
  ].map((subject) => [subject.number, subject]),
)
/** About 40 kB each. */
const MAX_CACHED_PREVIEWS = 200

/**
 * Serves a picture of every set and minifig: that of the catalog if it lies on a host that the operator allows, otherwise
 * an illustration. `preview.png` is the same for link previews, which can't show SVG.
 */
export function registerPictures(app: FastifyInstance, { db, config }: Pick<Services, 'db' | 'config'>): void {
  const previews = new LRUCache<string, Promise<Buffer>>({ max: MAX_CACHED_PREVIEWS })
  const cachedPreview = (key: string, draw: () => Promise<Buffer>) => {
    const preview = previews.get(key) ?? draw()
    previews.set(key, preview)
    return preview
  }
  for (const [kind, find] of Object.entries({ sets: findSetPicture, minifigs: findMinifigPicture })) {
    app.get<NumberParams>(`/pictures/${kind}/:number`, async ({ params }, reply) =>
      sendPicture(reply, await find(db, params.number), ({ draw }) => reply.type('image/svg+xml').send(draw())),
    )
    app.get<NumberParams>(`/pictures/${kind}/:number/preview.png`, async ({ params }, reply) =>
      sendPicture(reply, await find(db, params.number), async ({ draw, theme }) =>
        reply.type('image/png').send(await cachedPreview(`${kind}/${params.number}`, () => drawPreview(draw(), theme))),
      ),
    )
  }

  app.get<{ Params: { name: string } }>('/pictures/examples/:name', ({ params }, reply) => {
    const subject = EXAMPLES.get(params.name)
    const picture = subject && { url: null, theme: subject.theme, draw: () => drawSet(subject) }
    return sendPicture(reply, picture, ({ draw }) => reply.type('image/svg+xml').send(draw()))
  })

  function sendPicture(
    reply: FastifyReply,
    picture: CatalogPicture | undefined,
    send: (picture: CatalogPicture) => FastifyReply | Promise<FastifyReply>,
  ) {
    if (picture === undefined) return reply.code(404).type('text/plain; charset=utf-8').send('Picture not found.\n')
    reply.header('cache-control', CACHE_CONTROL)
    return isShown(picture.url, config) ? reply.redirect(picture.url!) : send(picture)
  }
}

/** Whether pages show this picture of the catalog, not an illustration. */
export function isShown(url: string | null, { pictureHosts }: Pick<WebConfig, 'pictureHosts'>): boolean {
  return url !== null && URL.canParse(url) && pictureHosts.includes(new URL(url).origin)
}

/** The picture in the catalog, and how to draw an illustration instead. */
type CatalogPicture = { url: string | null; theme: string; draw: () => string }

async function findSetPicture(db: Database, number: string): Promise<CatalogPicture | undefined> {
  const [set] = await findSets(db, [number])
  return set && { url: set.image_url, theme: set.theme, draw: () => drawSet({ ...set, number: set.set_number }) }
}

async function findMinifigPicture(db: Database, number: string): Promise<CatalogPicture | undefined> {
  const [minifig] = await loadMinifigs(db, [number])
  const theme = minifig?.category ?? ''
  return minifig && { url: minifig.image_url, theme, draw: () => drawMinifig({ number, theme }) }
}

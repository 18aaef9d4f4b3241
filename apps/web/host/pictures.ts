import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Database } from '@brickmark/core/db/database'
import { networkOf } from '@brickmark/core/runtime/client-network'
import { findSets } from '@brickmark/core/catalog/set-queries'
import { loadMinifigs } from '@brickmark/core/market/values/minifig-record-queries'
import { drawSet } from '@brickmark/art/brick-art'
import { drawMinifig } from '@brickmark/art/minifig-art'
import type { WebConfig } from './config.ts'
import { PreviewsBusyError } from './preview-pictures.ts'
import type { Services } from './services.ts'

type NumberParams = { Params: { number: string } }

const CACHE_CONTROL = 'public, max-age=86400'
/** A license may end; then its pictures are no longer shown. */
const REDIRECT_CACHE_CONTROL = 'public, max-age=60'
/** Decorates pages that show no set of the catalog. */
const EXAMPLES = new Map(
  [
    { number: 'lighthouse', title: 'Lighthouse', theme: 'Harbor Row', pieces: 300 },
    { number: 'treehouse', title: 'Tree House', theme: 'Verdant Expedition', pieces: 300 },
    { number: 'tugboat', title: 'Tugboat', theme: 'Tidepool Deep', pieces: 300 },
    { number: 'castle', title: 'Castle', theme: 'Stonecrown Keep', pieces: 600 },
  ].map((subject) => [subject.number, subject]),
)
/** Per client network and web process. A page of a collection has 100 pictures; a link that somebody posts has one preview. */
const PICTURES_PER_MINUTE = 1200
const PREVIEWS_PER_MINUTE = 30

/**
 * Serves a picture of every set and minifig: that of the catalog if it lies on a host that the operator allows, otherwise
 * an illustration. `preview.png` is the same for link previews, which can't show SVG.
 */
export function registerPictures(
  app: FastifyInstance,
  { db, config, previews }: Pick<Services, 'db' | 'config' | 'previews'>,
): void {
  const limitPictures = limitByNetwork(PICTURES_PER_MINUTE)
  const limitPreviews = limitByNetwork(PREVIEWS_PER_MINUTE)
  for (const [kind, find] of Object.entries({ sets: findSetPicture, minifigs: findMinifigPicture })) {
    app.get<NumberParams>(
      `/pictures/${kind}/:number`,
      { onRequest: [refuseNul, limitPictures] },
      async ({ params }, reply) =>
        sendPicture(reply, await find(db, params.number), ({ draw }) => reply.type('image/svg+xml').send(draw())),
    )
    // Without public pages there are no links to preview.
    if (config.publicPages === 'off') continue
    app.get<NumberParams>(
      `/pictures/${kind}/:number/preview.png`,
      { onRequest: [refuseNul, limitPreviews] },
      async ({ params }, reply) =>
        sendPicture(reply, await find(db, params.number), ({ draw, theme }) =>
          sendPreview(reply, `${kind}/${params.number}`, draw, theme),
        ),
    )
  }

  async function sendPreview(reply: FastifyReply, key: string, drawIllustration: () => string, theme: string) {
    try {
      const picture = await previews.get(key, drawIllustration, theme)
      return reply.type('image/png').send(picture)
    } catch (error) {
      if (error instanceof PreviewsBusyError) return refuse(reply, 503, 10)
      throw error
    }
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
    if (isShown(picture.url, config))
      return reply.header('cache-control', REDIRECT_CACHE_CONTROL).redirect(picture.url!)
    reply.header('cache-control', CACHE_CONTROL)
    return send(picture)
  }
}

/** Refuses numbers with a NUL character, which PostgreSQL can't look up. */
export async function refuseNul({ params }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> {
  if (!(params as NumberParams['Params']).number.includes('\0')) return undefined
  return reply.code(404).type('text/plain; charset=utf-8').send('Not found.\n')
}

/** Refuses requests beyond a number per minute and client network. */
function limitByNetwork(perMinute: number) {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> => {
    try {
      await limiter.consume(networkOf(request.ip))
    } catch {
      return refuse(reply, 429, 60)
    }
    return undefined
  }
}

function refuse(reply: FastifyReply, status: number, retryAfterSeconds: number): FastifyReply {
  return reply
    .code(status)
    .headers({ 'retry-after': retryAfterSeconds, 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send('Too many pictures at once. Try again later.\n')
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

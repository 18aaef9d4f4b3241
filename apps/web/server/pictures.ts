import type { FastifyInstance, FastifyReply } from 'fastify'
import { findSets } from '@brickmark/core/catalog/set-queries'
import { loadMinifigs } from '@brickmark/core/market/minifig-record-queries'
import { drawSet } from './art/brick-art.ts'
import { drawMinifig } from './art/minifig-art.ts'
import type { Services } from './services.ts'

type NumberParams = { Params: { number: string } }

const CACHE_CONTROL = 'public, max-age=86400'

/**
 * Serves a picture of every set and minifig: that of the catalog if it lies on a host that the operator allows, otherwise
 * an illustration.
 */
export function registerPictures(app: FastifyInstance, { db, config }: Pick<Services, 'db' | 'config'>): void {
  app.get<NumberParams>('/pictures/sets/:number', async ({ params }, reply) => {
    const [set] = await findSets(db, [params.number])
    return sendPicture(reply, set && { url: set.image_url, draw: () => drawSet({ ...set, number: set.set_number }) })
  })
  app.get<NumberParams>('/pictures/minifigs/:number', async ({ params }, reply) => {
    const [minifig] = await loadMinifigs(db, [params.number])
    const draw = () => drawMinifig({ number: params.number, theme: minifig?.category ?? '' })
    return sendPicture(reply, minifig && { url: minifig.image_url, draw })
  })

  function sendPicture(reply: FastifyReply, picture: { url: string | null; draw: () => string } | undefined) {
    if (picture === undefined) return reply.code(404).type('text/plain; charset=utf-8').send('Picture not found.\n')
    reply.header('cache-control', CACHE_CONTROL)
    const origin = picture.url !== null && URL.canParse(picture.url) ? new URL(picture.url).origin : undefined
    if (origin !== undefined && config.pictureHosts.includes(origin)) return reply.redirect(picture.url!)
    return reply.type('image/svg+xml').send(picture.draw())
  }
}

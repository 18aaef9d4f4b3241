import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { stopMailTo } from './mailer.ts'
import type { Services } from './services.ts'

const Report = z.object({ email: z.email(), kind: z.enum(['bounce', 'complaint']) })

/**
 * `POST /hooks/bounces`: the mail provider, or a few lines of glue code in front of it, reports an address that
 * rejects mail, or whose owner marked it as spam. We stop sending mail about alerts to it.
 */
export function registerBounceHook(app: FastifyInstance, { config, db }: Services): void {
  const { mailBounceToken: token } = config
  if (token === undefined) return
  app.post('/hooks/bounces', async (request, reply) => {
    if (!isEqual(request.headers.authorization ?? '', `Bearer ${token}`))
      return reply.code(401).send({ error: 'Send the token in MAIL_BOUNCE_TOKEN as a bearer token.' })
    const report = Report.safeParse(parseJson(request.body as Buffer | undefined))
    if (!report.success)
      return reply.code(400).send({ error: 'Send {"email": "…", "kind": "bounce" or "complaint"} as JSON.' })
    await stopMailTo(db, report.data.email)
    return reply.code(204).send()
  })
}

function parseJson(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString() ?? '')
  } catch {
    return undefined
  }
}

/** Compares in constant time. */
function isEqual(text: string, expected: string): boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(hash(text), hash(expected))
}

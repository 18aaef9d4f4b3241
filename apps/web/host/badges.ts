import type { FastifyInstance } from 'fastify'
import type { Condition } from '@brickmark/core/catalog/condition'
import { findSetByNumber } from '@brickmark/core/catalog/set-search-queries'
import { findSetValues } from '@brickmark/core/market/values/value-queries'
import { formatUsd } from '@brickmark/core/primitives/format-money'
import { networkOf } from '@brickmark/core/runtime/client-network'
import { escapeHtml } from './escape-html.ts'
import { refuseNul } from './pictures.ts'
import type { Services } from './services.ts'

const CACHE_CONTROL = 'public, max-age=3600'

/**
 * Serves the value of a set as a small picture for pages elsewhere, if visitors may see values. `?condition=used` is about a
 * used copy.
 */
export function registerBadges(
  app: FastifyInstance,
  { db, config, rateLimits }: Pick<Services, 'db' | 'config' | 'rateLimits'>,
): void {
  if (config.publicPages !== 'values') return
  app.get<{ Params: { number: string }; Querystring: { condition?: unknown } }>(
    '/badges/sets/:number',
    { onRequest: refuseNul },
    async ({ params, query, ip }, reply) => {
      const seconds = await rateLimits.badges.take(networkOf(ip))
      if (seconds > 0) return reply.code(429).header('retry-after', seconds).send()
      const number = params.number.replace(/\.svg$/, '')
      const set = number === params.number ? undefined : await findSetByNumber(db, number)
      if (!set) return reply.code(404).type('text/plain; charset=utf-8').send('Badge not found.\n')
      const condition: Condition = query.condition === 'used' ? 'used' : 'sealed'
      const values = await findSetValues(db, [set.set_number])
      const found = values.find((value) => value.condition === condition)
      return reply
        .headers({ 'cache-control': CACHE_CONTROL, 'cross-origin-resource-policy': 'cross-origin' })
        .type('image/svg+xml')
        .send(drawBadge(`${set.set_number} ${condition}`, describeValue(found)))
    },
  )
}

/** A value that few sales support is marked as an approximation. */
function describeValue(found: { value_cents: number | null; data_tier: string } | undefined): string {
  if (found === undefined || found.value_cents === null) return 'no value yet'
  return `${found.data_tier === 'market' ? '' : '≈ '}${formatUsd(found.value_cents)}`
}

/** The average width of a character at 11 px. The text is fitted to it, whatever font the reader has. */
const CHARACTER_PX = 6.5
const PADDING_PX = 8
const LOGO_PX = 16

function drawBadge(label: string, value: string): string {
  const [labelWidth, valueWidth] = [label, value].map((text) => Math.round(text.length * CHARACTER_PX)) as [
    number,
    number,
  ]
  const border = PADDING_PX + LOGO_PX + labelWidth + PADDING_PX
  const width = border + PADDING_PX + valueWidth + PADDING_PX
  const text = (content: string, x: number, length: number) =>
    `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeHtml(content)}</text>`
  const title = escapeHtml(`Brickmark: ${label} ${value}`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-label="${title}">
<title>${title}</title>
<clipPath id="r"><rect width="${width}" height="20" rx="5"/></clipPath>
<g clip-path="url(#r)"><rect width="${width}" height="20" fill="#1c202b"/><rect x="${border}" width="${width - border}" height="20" fill="#2c46d3"/></g>
<g fill="#95a6ff"><rect x="8" y="12.5" width="10" height="2.6" rx=".6"/><rect x="8" y="8.8" width="6.4" height="2.6" rx=".6"/><rect x="8" y="5.1" width="2.8" height="2.6" rx=".6"/></g>
<g fill="#fff" font-family="Inter,Verdana,'DejaVu Sans',sans-serif" font-size="11">${text(label, PADDING_PX + LOGO_PX, labelWidth)}${text(value, border + PADDING_PX, valueWidth)}</g>
</svg>
`
}

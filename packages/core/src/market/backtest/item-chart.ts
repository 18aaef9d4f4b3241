import { formatDay } from '../../primitives/calendar.ts'
import { median } from '../valuation/priors.ts'
import type { Score } from './scores.ts'
import type { PricedSale } from './simple-methods.ts'

const WIDTH = 900
const HEIGHT = 360
const MARGIN = { left: 64, right: 16, top: 36, bottom: 28 }
const WEEK = 7
/** A week is only drawn if this many sales hide each other. */
const MIN_WEEK_SALES = 3

/**
 * Draws the values of an item with their ranges, and the medians of the weeks in which it sold three times or more, as SVG.
 * Single sales are never drawn.
 */
export function drawItemChart(title: string, scores: readonly Score[], sales: readonly PricedSale[]): string {
  const first = scores[0]!.day
  const last = scores.at(-1)!.day
  const weeks = [...Map.groupBy(sales, ({ day }) => Math.floor(day / WEEK))]
    .filter(([, own]) => own.length >= MIN_WEEK_SALES)
    .map(([week, own]) => ({ day: week * WEEK + WEEK / 2, logPrice: median(own.map(({ logPrice }) => logPrice)) }))
    .filter(({ day }) => day >= first && day <= last)
  const prices = [...weeks.map(({ logPrice }) => logPrice), ...scores.flatMap(({ low, high }) => [low, high])]
  const [min, max] = [Math.min(...prices), Math.max(...prices)]
  const x = (day: number) =>
    MARGIN.left + ((day - first) / Math.max(1, last - first)) * (WIDTH - MARGIN.left - MARGIN.right)
  const y = (logPrice: number) =>
    MARGIN.top + ((max - logPrice) / Math.max(0.01, max - min)) * (HEIGHT - MARGIN.top - MARGIN.bottom)
  const point = (day: number, logPrice: number) => `${x(day).toFixed(1)},${y(logPrice).toFixed(1)}`
  const band = [
    ...scores.map(({ day, high }) => point(day, high)),
    ...scores.toReversed().map(({ day, low }) => point(day, low)),
  ]
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => min + share * (max - min))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${MARGIN.left}" y="20" font-size="14">${escapeXml(title)}</text>
${ticks.map((tick) => `<text x="${MARGIN.left - 8}" y="${y(tick) + 4}" text-anchor="end">$${Math.round(Math.exp(tick) / 100)}</text><line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(tick)}" y2="${y(tick)}" stroke="#e5e5e5"/>`).join('\n')}
<polygon points="${band.join(' ')}" fill="#2563eb" opacity="0.15"/>
<polyline points="${scores.map(({ day, ours }) => point(day, ours)).join(' ')}" fill="none" stroke="#2563eb" stroke-width="2"/>
${weeks.map(({ day, logPrice }) => `<circle cx="${x(day).toFixed(1)}" cy="${y(logPrice).toFixed(1)}" r="3" fill="#c2410c"/>`).join('\n')}
<text x="${MARGIN.left}" y="${HEIGHT - 8}">${formatDay(first)}</text>
<text x="${WIDTH - MARGIN.right}" y="${HEIGHT - 8}" text-anchor="end">${formatDay(last)}. Line: value, band: range, dots: weekly medians</text>
</svg>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

import { checkDigit } from '@brickmark/core/catalog/barcode'
import { utcDayOf, formatDay } from '@brickmark/core/primitives/calendar'
import { generateMinifigs, linkMinifigs } from './minifigs.ts'
import { elementAt, randomStream, type Random } from './random.ts'
import { generateLifecycle, announcedRetirement, monthOfDay, toRereleased } from './set-lifecycle.ts'
import type { SyntheticCatalog, SetLifecycle, SetRow } from './types.ts'
import { THEMES, type ThemeVocabulary } from './vocabulary.ts'

const SETS = 640
const SECOND_EDITIONS = 8
const FIRST_NUMBER = 90000
const RERELEASED = [120, 340]
const SPARSE_SETS = [77, 191, 305, 419, 533]

// Quantiles modeled on real catalogs: medians 24.99 and 79, 95th percentiles 139.99 and 1,010.
const PRICE_QUANTILES = quantiles(
  [0, 3.99],
  [0.1, 8.5],
  [0.25, 13.5],
  [0.5, 24.99],
  [0.75, 49.99],
  [0.95, 139.99],
  [1, 499.99],
)
const PIECE_QUANTILES = quantiles([0, 4], [0.1, 18], [0.25, 36], [0.5, 79], [0.75, 270], [0.95, 1010], [1, 4200])
const PRICE_POINTS = [
  3, 4, 5, 6, 7, 8, 9, 12, 14, 17, 19, 24, 29, 34, 39, 44, 49, 54, 59, 64, 69, 79, 89, 99, 109, 119, 129, 139, 149, 159,
  179, 199, 229, 249, 279, 299, 349, 399, 449, 499,
].map((dollars) => dollars * 100 + 99)

type SetDraft = {
  set_number: string
  theme: ThemeVocabulary
  title: string
  listCents: number
  pieces: number
  life: SetLifecycle
}

/** Generates fictional sets and minifigs with the statistics of a real catalog. */
export function generateCatalog(seed: number, today: Date, count = SETS): SyntheticCatalog {
  const todayDay = utcDayOf(today)
  const drafts = generateDrafts(randomStream(seed, 'sets'), monthOfDay(todayDay), count)
  const details = randomStream(seed, 'set details')
  const upcs = randomStream(seed, 'barcodes').shuffle(Array.from({ length: count * 5 }, (_, index) => index))
  const sets = drafts.map((draft, index) => {
    const row = toSetRow(details, draft, elementAt(upcs, index), todayDay)
    return SPARSE_SETS.includes(index) ? sparseSet(row) : row
  })
  const figures = randomStream(seed, 'minifigs')
  const minifigs = generateMinifigs(figures, today.getUTCFullYear())
  return {
    sets,
    minifigs,
    setMinifigs: linkMinifigs(figures, sets, minifigs),
    lifecycles: new Map(drafts.map((draft) => [draft.set_number, draft.life])),
  }
}

function generateDrafts(random: Random, todayMonth: number, count: number): SetDraft[] {
  const titles = new Map(THEMES.map((theme) => [theme, random.shuffle(titlesOf(theme))]))
  const ranks = random.shuffle(Array.from({ length: count }, (_, index) => (index + 0.5) / count))
  const pieceRanks = correlatedRanks(random, ranks)
  const drafts: SetDraft[] = []
  const spacing = Math.min(31, Math.floor(count / SECOND_EDITIONS) - 1)
  for (let index = 0; index < count; index++) {
    const listCents = listPrice(random, elementAt(ranks, index))
    const pieces = Math.round(valueAtQuantile(PIECE_QUANTILES, elementAt(pieceRanks, index)))
    const life = generateLifecycle(random, listCents, todayMonth)
    const base = { listCents, pieces, life: RERELEASED.includes(index) ? toRereleased(life, todayMonth) : life }
    const first = index - (count - SECOND_EDITIONS)
    if (first >= 0) drafts.push({ ...base, ...secondEdition(elementAt(drafts, first * spacing)) })
    else drafts.push({ ...base, ...newEdition(random, titles, index) })
  }
  return drafts
}

function newEdition(random: Random, titles: Map<ThemeVocabulary, string[]>, index: number) {
  const theme = elementAt(THEMES, Math.floor(THEMES.length * random.uniform() ** 1.3))
  const title = titles.get(theme)?.pop()
  if (title === undefined) throw new Error(`Theme ${theme.name} has run out of titles.`)
  return { set_number: `${FIRST_NUMBER + index}-1`, theme, title }
}

function secondEdition({ set_number, theme, title }: SetDraft) {
  return { set_number: set_number.replace(/-1$/, '-2'), theme, title: `${title} (Second Edition)` }
}

function toSetRow(random: Random, draft: SetDraft, upcBody: number, todayDay: number): SetRow {
  const { set_number, theme, title, pieces, listCents, life } = draft
  const upc = random.chance(0.96) ? generateUpc(upcBody) : null
  return {
    set_number,
    title,
    theme: theme.name,
    subtheme: theme.subthemes.length > 0 && random.chance(0.75) ? random.pick(theme.subthemes) : null,
    pieces,
    msrp_cents: listCents,
    release_date: formatDay(life.releaseDay),
    retire_date: announcedRetirement(life, todayDay),
    asin: random.chance(0.92) ? generateAsin(random, upcBody) : null,
    upc,
    ean: upc !== null && random.chance(0.9) ? `0${upc}` : null,
    image_url: random.chance(0.98) ? `https://images.brickmark.example/sets/${set_number}.png` : null,
    ...(random.chance(0.93) ? generateBox(random, pieces) : NO_BOX),
  }
}

const NO_BOX = { box_width_in: null, box_height_in: null, box_depth_in: null, box_weight_lbs: null }

function generateBox(random: Random, pieces: number) {
  const width = Math.min(23.5, 4.5 + 0.45 * Math.sqrt(pieces)) * (0.9 + 0.2 * random.uniform())
  return {
    box_width_in: width.toFixed(2),
    box_height_in: (width * (0.55 + 0.25 * random.uniform())).toFixed(2),
    box_depth_in: ((1.6 + 0.055 * Math.sqrt(pieces)) * (0.85 + 0.3 * random.uniform())).toFixed(2),
    box_weight_lbs: ((0.12 + 0.0031 * pieces) * (0.85 + 0.3 * random.uniform())).toFixed(2),
  }
}

function sparseSet({ set_number, title, theme }: SetRow): SetRow {
  const nothing = { pieces: null, msrp_cents: null, release_date: null, retire_date: null, image_url: null }
  return { set_number, title, theme, subtheme: null, ...nothing, asin: null, upc: null, ean: null, ...NO_BOX }
}

// GS1 reserves UPCs starting with 4 for in-store use, so none of these belongs to a real product.
function generateUpc(body: number): string {
  const digits = `4990${String(1_000_000 + body * 137).padStart(7, '0')}`
  return digits + checkDigit(digits)
}

// The last four characters are the barcode body in base 36, which makes ASINs unique.
function generateAsin(random: Random, body: number): string {
  const letters = Array.from({ length: 4 }, () => random.int(0, 35).toString(36)).join('')
  return `B0${letters}${body.toString(36).padStart(4, '0')}`.toUpperCase()
}

function titlesOf(theme: ThemeVocabulary): string[] {
  return theme.places.flatMap((place) => theme.things.map((thing) => `${place} ${thing}`))
}

function listPrice(random: Random, rank: number): number {
  const target = valueAtQuantile(PRICE_QUANTILES, rank) * 100
  const distance = (point: number) => Math.abs(Math.log(point / target))
  const point = PRICE_POINTS.reduce((best, next) => (distance(next) < distance(best) ? next : best))
  return random.chance(0.98) ? point : point + 1
}

// Larger sets cost more, but not strictly: the piece-count rank is the price rank with noise.
function correlatedRanks(random: Random, ranks: number[]): number[] {
  const jittered = ranks.map((rank, index) => ({ index, score: rank + random.normal(0, 0.09) }))
  const result: number[] = []
  jittered
    .toSorted((a, b) => a.score - b.score)
    .forEach(({ index }, rank) => (result[index] = (rank + 0.5) / ranks.length))
  return result
}

type Quantile = { share: number; figure: number }

function quantiles(...pairs: [number, number][]): Quantile[] {
  return pairs.map(([share, figure]) => ({ share, figure }))
}

function valueAtQuantile(table: Quantile[], rank: number): number {
  const next = table.findIndex(({ share }) => share > rank)
  const low = elementAt(table, next - 1)
  const high = elementAt(table, next)
  return low.figure * (high.figure / low.figure) ** ((rank - low.share) / (high.share - low.share))
}

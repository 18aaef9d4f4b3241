import { z } from 'zod'
import { checkDigit } from '../../catalog/barcode.ts'
import type { CatalogRow, ParsedRow } from '../feeds/feed-rows.ts'
import {
  batched,
  CatalogRowBuilder,
  withoutInvisible,
  type CatalogOrigin,
  type CatalogRowCounts,
} from './catalog-row-builder.ts'
import { fetchJson, formatSchemaIssue, SourceError } from './retail-source.ts'

export type BricksetConfig = {
  /** 'https://brickset.com/api/v3.asmx/', or a test server. */
  baseUrl: string
  key: string
}

const FIRST_YEAR = 1949
const PAGE_SIZE = 500
const TIMEOUT_MS = 60_000
/** Several years per call save calls, of which a key has a hundred per day. */
const YEARS_PER_REQUEST = 10
const INCHES_PER_CM = 1 / 2.54
const POUNDS_PER_KG = 2.204_622_6

/**
 * Reads all sets from Brickset's API, version 3: dates, list prices in the United States, barcodes, box sizes and pictures.
 * What Brickset doesn't know stays blank. Throws a SourceError if a call fails.
 */
export function readBrickset(
  config: BricksetConfig,
  origin: CatalogOrigin,
  signal: AbortSignal,
): { batches: AsyncGenerator<ParsedRow<CatalogRow>[]>; counts: CatalogRowCounts } {
  const counts = { sets: 0, minifigs: 0, contains: 0, aliases: 0, rejected: 0 }
  return { batches: batched(readSets(config, new CatalogRowBuilder(origin, counts), origin, signal)), counts }
}

async function* readSets(
  config: BricksetConfig,
  rows: CatalogRowBuilder,
  { now = new Date() }: CatalogOrigin,
  signal: AbortSignal,
): AsyncGenerator<ParsedRow<CatalogRow>> {
  let line = 0
  for (let from = FIRST_YEAR; from <= now.getUTCFullYear() + 1; from += YEARS_PER_REQUEST) {
    const years = Array.from({ length: YEARS_PER_REQUEST }, (_, index) => from + index).join(',')
    for (let page = 1, seen = 0; ; page++) {
      const { matches, sets } = await requestSets(
        config,
        { year: years, pageSize: PAGE_SIZE, pageNumber: page },
        signal,
      )
      for (const rawSet of sets) {
        const set = BricksetSet.safeParse(rawSet)
        line++
        yield set.success
          ? rows.build('Brickset', line, toFields(set.data))
          : rows.reject('Brickset', line, formatSchemaIssue(set.error), Object(rawSet) as object)
      }
      seen += sets.length
      if (sets.length === 0 || seen >= matches) break
    }
  }
}

const Body = z.union([
  z.object({ status: z.literal('success'), matches: z.int().nonnegative(), sets: z.array(z.unknown()).default([]) }),
  z.object({ status: z.literal('error'), message: z.string() }),
])

async function requestSets({ baseUrl, key }: BricksetConfig, params: object, signal: AbortSignal) {
  const url = new URL('getSets', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  url.search = new URLSearchParams({ apiKey: key, userHash: '', params: JSON.stringify(params) }).toString()
  const answer = await fetchJson(url, {}, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
  const body = Body.safeParse(answer)
  if (!body.success) throw new SourceError('invalid_response', 'response has no list of sets')
  if (body.data.status === 'success') return body.data
  const { message } = body.data
  throw new SourceError(/limit/i.test(message) ? 'throttled' : 'unauthorized', `Brickset answered: ${message}`)
}

const Text = z.string().nullish()
const Amount = z.number().nullish()

const BricksetSet = z.object({
  number: z.string(),
  numberVariant: z.int(),
  name: z.string(),
  year: z.int().nullish(),
  theme: z.string(),
  subtheme: Text,
  pieces: Amount,
  image: z.object({ imageURL: Text }).nullish(),
  LEGOCom: z.object({ US: z.object({ retailPrice: Amount, dateFirstAvailable: Text }).nullish() }).nullish(),
  launchDate: Text,
  exitDate: Text,
  barcode: z.object({ EAN: Text, UPC: Text }).nullish(),
  dimensions: z.object({ height: Amount, width: Amount, depth: Amount, weight: Amount }).nullish(),
})

function toFields({ LEGOCom: store, barcode, dimensions, ...set }: z.output<typeof BricksetSet>) {
  const releaseDate = toDay(set.launchDate) || toDay(store?.US?.dateFirstAvailable)
  return {
    record: 'set',
    set_number: `${set.number}-${set.numberVariant}`,
    title: withoutInvisible(set.name),
    theme: set.theme,
    subtheme: set.subtheme ?? '',
    pieces: positive(set.pieces, 0),
    msrp_usd: positive(store?.US?.retailPrice, 2),
    release_date: releaseDate,
    // The year of the set can differ from that of its date, which is the one that counts.
    release_year: releaseDate === '' ? String(set.year ?? '') : '',
    retire_date: toDay(set.exitDate),
    upc: validCode(barcode?.UPC, 12),
    ean: validCode(barcode?.EAN, 13),
    image_url: set.image?.imageURL?.startsWith('https://') ? set.image.imageURL : '',
    box_width_in: positive(scaled(dimensions?.width, INCHES_PER_CM), 2),
    box_height_in: positive(scaled(dimensions?.height, INCHES_PER_CM), 2),
    box_depth_in: positive(scaled(dimensions?.depth, INCHES_PER_CM), 2),
    box_weight_lbs: positive(scaled(dimensions?.weight, POUNDS_PER_KG), 2),
  }
}

/** Returns the day of an instant such as 2017-09-14T00:00:00Z. */
function toDay(instant: string | null | undefined): string {
  return /^\d{4}-\d\d-\d\d/.exec(instant ?? '')?.[0] ?? ''
}

/** Formats an amount; 0 means unknown. */
function positive(amount: number | null | undefined, digits: number): string {
  const text = (amount ?? 0).toFixed(digits)
  return Number(text) > 0 ? text : ''
}

function scaled(amount: number | null | undefined, factor: number): number | null {
  return amount === null || amount === undefined ? null : amount * factor
}

/** Returns a barcode, or nothing if it is mistyped: the rest of the set is still right. */
function validCode(code: string | null | undefined, length: 12 | 13): string {
  if (code === null || code === undefined || !/^\d+$/.test(code) || code.length !== length) return ''
  return checkDigit(code.slice(0, -1)) === code.at(-1) ? code : ''
}

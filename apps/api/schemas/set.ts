import { z } from 'zod'
import type { SetRecord } from '@brickmark/core/market/values/set-record'
import { serializeSet } from '@brickmark/core/export/v1-json'
import { utcDayOf, formatDay } from '@brickmark/core/primitives/calendar'
import { SET_STATUS, setStatus } from '@brickmark/core/catalog/set-status'
import {
  nullableDateField,
  nullableTimestampField,
  nullableNumberField,
  booleanField,
  integerField,
  nullableIntegerField,
  openEnumField,
  stringField,
  nullableStringField,
} from './fields.ts'
import { RetailerSummarySchema } from './retail-price.ts'
import { memoizeJson } from './preserialized-json.ts'

const ValueRangeSchema = z
  .strictObject({
    low: nullableNumberField('Lower bound.', 96.2),
    high: nullableNumberField('Upper bound.', 131.5),
    calculated_at: nullableTimestampField('When the value was last calculated.', '2026-06-27T03:10:00.000Z'),
  })
  .meta({
    id: 'ValueRange',
    description: '80% prediction interval for the next sealed sale.',
  })

const BoxSchema = z
  .strictObject({
    width_in: nullableNumberField('Width in inches.', 18.9),
    height_in: nullableNumberField('Height in inches.', 14.9),
    depth_in: nullableNumberField('Depth in inches.', 3.6),
    weight_lbs: nullableNumberField('Weight in pounds.', 3.4),
  })
  .meta({ id: 'Box', description: 'Box dimensions and weight.' })

export const SetSchema = z
  .strictObject({
    set_number: stringField('Canonical set number.', '90001-1'),
    title: stringField('Title.', 'Tidewater Lighthouse'),
    theme: stringField('Theme.', 'Harbor'),
    subtheme: nullableStringField('Subtheme.', 'Coast'),
    pieces: nullableIntegerField('Number of pieces.', 812),
    minifigs_count: integerField('Total number of minifigs, including duplicates.', 4),
    minifigs: z.array(z.string()).meta({ description: 'Unique minifig numbers.', example: ['hbr001', 'hbr002'] }),
    barcodes: z
      .strictObject({
        upc: nullableStringField('UPC, 12 digits.', '036000291452'),
        ean: nullableStringField('EAN, 13 digits.', '0036000291452'),
      })
      .meta({ id: 'Barcodes', description: 'Barcodes.' }),
    msrp_usd: nullableNumberField('Retail price (MSRP).', 89.99),
    release_date: nullableDateField('Release date.', '2023-03-01'),
    retire_date: nullableDateField('Retirement date; null if not retired.', '2024-12-31'),
    status_id: integerField('1 upcoming, 2 available, 3 retiring soon, 4 retired, 5 unknown.', 4),
    data_tier: openEnumField(['market', 'thin', 'modelled', 'none'], 'Confidence in the value.', 'market'),
    image_url: nullableStringField('Image URL.', 'https://images.brickmark.example/sets/90001-1.png'),
    new_value_usd: nullableNumberField('Estimated value, sealed.', 112.4),
    used_value_usd: nullableNumberField('Estimated value, used.', 71.1),
    value_range: ValueRangeSchema,
    retailers: z.array(RetailerSummarySchema).meta({ description: 'Current retailer prices.' }),
    box: BoxSchema,
  })
  .meta({
    id: 'Set',
    description: 'A set with estimated market values. All fields are always present; unknown values are null.',
  })

export const setJson = memoizeJson((set: SetRecord, now: Date): z.output<typeof SetSchema> => serializeSet(set, now))

export const SetSearchResultSchema = z
  .strictObject({
    set_number: stringField('Canonical set number.', '90001-1'),
    title: stringField('Title.', 'Tidewater Lighthouse'),
    theme: nullableStringField('Theme.', 'Harbor'),
    subtheme: nullableStringField('Subtheme.', 'Coast'),
    pieces: nullableIntegerField('Number of pieces.', 812),
    year: nullableIntegerField('Release year.', 2023),
    retired: booleanField('Whether it is retired.', true),
    image_url: nullableStringField('Image URL.', 'https://images.brickmark.example/sets/90001-1.png'),
  })
  .meta({ id: 'SetSearchResult', description: 'Set search result. Use `GET /set/{number}` for values.' })

function serializeSetSearchResult(set: SetRecord, now: Date): z.output<typeof SetSearchResultSchema> {
  return {
    set_number: set.set_number,
    title: set.title,
    theme: set.theme,
    subtheme: set.subtheme,
    pieces: set.pieces,
    year: set.release_year,
    retired: setStatus(set, formatDay(utcDayOf(now))) === SET_STATUS.retired,
    image_url: set.image_url,
  }
}

export const setSearchResultJson = memoizeJson(serializeSetSearchResult)

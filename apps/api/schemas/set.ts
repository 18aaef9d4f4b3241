import { z } from 'zod'
import type { SetRecord } from '@brickmark/core/market/set-record'
import { usdOrNull } from '@brickmark/core/primitives/money'
import { dayOf, dayText } from '@brickmark/core/primitives/calendar'
import { SET_STATUS, setStatus } from '@brickmark/core/catalog/set-status'
import { dayOrNull, instantOrNull, moneyOrNull, flag, whole, wholeOrNull, word, wordOrNull } from './fields.ts'
import { presentRetailer, RetailerSummaryShape } from './retail-price.ts'
import { writeOnce } from './preserialized-json.ts'

const ValueRangeShape = z
  .strictObject({
    low: moneyOrNull('Lower end.', 96.2),
    high: moneyOrNull('Upper end.', 131.5),
    calculated_at: instantOrNull('When the value was computed.', '2026-06-27T03:10:00.000Z'),
  })
  .meta({
    id: 'ValueRange',
    description: 'Where the next sale of a sealed copy is expected to lie, with 80 % probability.',
  })

const BoxShape = z
  .strictObject({
    width_in: moneyOrNull('Width in inches.', 18.9),
    height_in: moneyOrNull('Height in inches.', 14.9),
    depth_in: moneyOrNull('Depth in inches.', 3.6),
    weight_lbs: moneyOrNull('Weight in pounds.', 3.4),
  })
  .meta({ id: 'Box', description: 'Size and weight of the box.' })

export const SetShape = z
  .strictObject({
    set_number: word('Canonical set number.', '90001-1'),
    title: word('Title.', 'Tidewater Lighthouse'),
    theme: word('Theme.', 'Harbor'),
    subtheme: wordOrNull('Subtheme.', 'Coast'),
    pieces: wholeOrNull('Number of pieces.', 812),
    minifigs_count: whole('Number of minifigs in the box, duplicates counted.', 4),
    minifigs: z
      .array(z.string())
      .meta({ description: 'Numbers of the distinct minifigs.', example: ['hbr001', 'hbr002'] }),
    barcodes: z
      .strictObject({
        upc: wordOrNull('UPC, 12 digits.', '036000291452'),
        ean: wordOrNull('EAN, 13 digits.', '0036000291452'),
      })
      .meta({ id: 'Barcodes', description: 'The codes on the box.' }),
    msrp_usd: moneyOrNull('Recommended retail price.', 89.99),
    release_date: dayOrNull('First day on the shelves.', '2023-03-01'),
    retire_date: dayOrNull('The day on which it was retired; null while it is not.', '2024-12-31'),
    status_id: whole('1 upcoming, 2 available, 3 retiring soon, 4 retired.', 4),
    data_tier: word(
      'How well the value is founded: `market`, `thin`, `modelled` or `none`. An open list: expect new words.',
      'market',
    ),
    image_url: wordOrNull('Picture of the set.', 'https://images.brickmark.example/sets/90001-1.png'),
    new_value_usd: moneyOrNull('Computed value of a sealed copy.', 112.4),
    used_value_usd: moneyOrNull('Computed value of a used copy.', 71.1),
    value_range: ValueRangeShape,
    retailers: z.array(RetailerSummaryShape).meta({ description: 'What the retailers ask now.' }),
    box: BoxShape,
  })
  .meta({
    id: 'Set',
    description: 'A set with its computed market values. Every key is always present; unknown is null.',
  })

/** A set as the contract shows it on the day of `now`. */
function presentSet(set: SetRecord, now: Date): z.output<typeof SetShape> {
  const status = setStatus(set.release_date, set.retire_date, dayText(dayOf(now)))
  return {
    set_number: set.set_number,
    title: set.title,
    theme: set.theme,
    subtheme: set.subtheme,
    pieces: set.pieces,
    minifigs_count: set.minifigs_count,
    minifigs: set.minifigs,
    barcodes: { upc: set.upc, ean: set.ean },
    msrp_usd: usdOrNull(set.msrp),
    release_date: set.release_date,
    retire_date: status === SET_STATUS.retired ? set.retire_date : null,
    status_id: status,
    data_tier: set.sealed?.tier ?? 'none',
    image_url: set.image_url,
    new_value_usd: usdOrNull(set.sealed?.value ?? null),
    used_value_usd: usdOrNull(set.used?.value ?? null),
    value_range: {
      low: usdOrNull(set.sealed?.low ?? null),
      high: usdOrNull(set.sealed?.high ?? null),
      calculated_at: set.sealed?.calculated_at.toISOString() ?? null,
    },
    retailers: [set.retail.retailer_a, set.retail.retailer_b].flatMap((state) =>
      state ? [presentRetailer(state)] : [],
    ),
    box: {
      width_in: set.box.width_in,
      height_in: set.box.height_in,
      depth_in: set.box.depth_in,
      weight_lbs: set.box.weight_lbs,
    },
  }
}

export const writeSet = writeOnce(presentSet)

export const SetSearchResultShape = z
  .strictObject({
    set_number: word('Canonical set number.', '90001-1'),
    title: word('Title.', 'Tidewater Lighthouse'),
    theme: wordOrNull('Theme.', 'Harbor'),
    subtheme: wordOrNull('Subtheme.', 'Coast'),
    pieces: wholeOrNull('Number of pieces.', 812),
    year: wholeOrNull('Year of release.', 2023),
    retired: flag('Whether it is retired.', true),
    image_url: wordOrNull('Picture of the set.', 'https://images.brickmark.example/sets/90001-1.png'),
  })
  .meta({ id: 'SetSearchResult', description: 'What identifies a set. Values come from `GET /set/{number}`.' })

function presentSetSearchResult(set: SetRecord, now: Date): z.output<typeof SetSearchResultShape> {
  return {
    set_number: set.set_number,
    title: set.title,
    theme: set.theme,
    subtheme: set.subtheme,
    pieces: set.pieces,
    year: set.release_date === null ? null : Number(set.release_date.slice(0, 4)),
    retired: setStatus(set.release_date, set.retire_date, dayText(dayOf(now))) === SET_STATUS.retired,
    image_url: set.image_url,
  }
}

export const writeSetSearchResult = writeOnce(presentSetSearchResult)

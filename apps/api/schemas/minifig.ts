import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { MinifigRecord } from '@brickmark/core/market/values/minifig-record'
import { serializeMinifig as serialize } from '@brickmark/core/export/v1-json'
import { nullableNumberField, integerField, nullableIntegerField, stringField, nullableStringField } from './fields.ts'

export const MinifigSchema = z
  .strictObject({
    minifig_number: stringField('Minifig number (third-party marketplace catalog).', 'hbr001'),
    name: stringField('Name.', 'Lighthouse Keeper'),
    category: nullableStringField('Category.', 'Harbor'),
    color: stringField('Primary color. Omitted if unknown.', 'Dark Blue').optional(),
    year_released: nullableIntegerField('Year of first release.', 2023),
    image_url: nullableStringField('Image URL.', 'https://images.brickmark.example/minifigs/hbr001.png'),
    current_value_usd: nullableNumberField('Estimated market value.', 6.8),
    value_range: z
      .strictObject({ low: nullableNumberField('Lower bound.', 5.1), high: nullableNumberField('Upper bound.', 9.05) })
      .meta({ id: 'MinifigValueRange', description: '80% prediction interval for the next sale.' }),
    set_count: integerField('Number of sets it appears in.', 1),
    sets: z.array(z.string()).meta({ description: 'Numbers of those sets.', example: ['90001-1'] }),
  })
  .meta({ id: 'Minifig', description: 'A minifig with its estimated market value. Unknown values are null.' })

export function serializeMinifig(minifig: MinifigRecord, catalog: Catalog): z.output<typeof MinifigSchema> {
  return serialize(minifig, catalog.setNumbersWithMinifig(minifig.minifig_number))
}

export const MinifigSearchResultSchema = z
  .strictObject({
    minifig_number: stringField('Minifig number (third-party marketplace catalog).', 'hbr001'),
    name: stringField('Name.', 'Lighthouse Keeper'),
    category: nullableStringField('Category.', 'Harbor'),
    year_released: nullableIntegerField('Year of first release.', 2023),
    image_url: nullableStringField('Image URL.', 'https://images.brickmark.example/minifigs/hbr001.png'),
  })
  .meta({
    id: 'MinifigSearchResult',
    description: 'Minifig search result. Use `GET /minifig/{number}` for its value.',
  })

export function serializeMinifigSearchResult(minifig: MinifigRecord): z.output<typeof MinifigSearchResultSchema> {
  return {
    minifig_number: minifig.minifig_number,
    name: minifig.name,
    category: minifig.category,
    year_released: minifig.year_released,
    image_url: minifig.image_url,
  }
}

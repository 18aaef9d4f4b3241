import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { MinifigRecord } from '@brickmark/core/market/minifig-record'
import { usdOrNull } from '@brickmark/core/primitives/money'
import { nullableNumberField, integerField, nullableIntegerField, stringField, nullableStringField } from './fields.ts'

export const MinifigSchema = z
  .strictObject({
    minifig_number: stringField('Number in a third-party marketplace catalog.', 'hbr001'),
    name: stringField('Name.', 'Lighthouse Keeper'),
    category: nullableStringField('Category.', 'Harbor'),
    color: stringField('Main colour; left out when it is not known.', 'Dark Blue').optional(),
    year_released: nullableIntegerField('Year of the first release.', 2023),
    image_url: nullableStringField('Picture.', 'https://images.brickmark.example/minifigs/hbr001.png'),
    current_value_usd: nullableNumberField('Computed market value.', 6.8),
    value_range: z
      .strictObject({ low: nullableNumberField('Lower end.', 5.1), high: nullableNumberField('Upper end.', 9.05) })
      .meta({ id: 'MinifigValueRange', description: 'Where the next sale is expected to lie, with 80 % probability.' }),
    set_count: integerField('In how many sets it appears.', 1),
    sets: z.array(z.string()).meta({ description: 'Numbers of those sets.', example: ['90001-1'] }),
  })
  .meta({ id: 'Minifig', description: 'A minifig with its computed market value. Unknown is null.' })

export function serializeMinifig(minifig: MinifigRecord, catalog: Catalog): z.output<typeof MinifigSchema> {
  const sets = catalog.setNumbersWithMinifig(minifig.minifig_number)
  return {
    minifig_number: minifig.minifig_number,
    name: minifig.name,
    category: minifig.category,
    ...(minifig.color === null ? {} : { color: minifig.color }),
    year_released: minifig.year_released,
    image_url: minifig.image_url,
    current_value_usd: usdOrNull(minifig.value?.value ?? null),
    value_range: { low: usdOrNull(minifig.value?.low ?? null), high: usdOrNull(minifig.value?.high ?? null) },
    set_count: sets.length,
    sets,
  }
}

export const MinifigSearchResultSchema = z
  .strictObject({
    minifig_number: stringField('Number in a third-party marketplace catalog.', 'hbr001'),
    name: stringField('Name.', 'Lighthouse Keeper'),
    category: nullableStringField('Category.', 'Harbor'),
    year_released: nullableIntegerField('Year of the first release.', 2023),
    image_url: nullableStringField('Picture.', 'https://images.brickmark.example/minifigs/hbr001.png'),
  })
  .meta({
    id: 'MinifigSearchResult',
    description: 'What identifies a minifig. Its value comes from `GET /minifig/{number}`.',
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

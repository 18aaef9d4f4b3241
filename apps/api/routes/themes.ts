import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { stringField } from '../schemas/fields.ts'
import { EmptyParams } from '../schemas/parameters.ts'

const ThemeSchema = z
  .strictObject({
    theme: stringField('Name of the theme.', 'Harbor'),
    set_count: z.int().min(0).meta({ description: 'How many sets it has.', example: 44 }),
  })
  .meta({ id: 'Theme', description: 'A theme of the catalog.' })

/** GET /catalog/themes */
export const themes = defineEndpoint({
  method: 'GET',
  path: '/catalog/themes',
  operationId: 'listThemes',
  tag: 'Catalog',
  summary: 'Every theme',
  description: 'All themes A–Z with their number of sets. Not paginated.',
  cost: 1,
  params: EmptyParams,
  query: EmptyParams,
  data: z
    .strictObject({ themes: z.array(ThemeSchema).meta({ description: 'A–Z.' }) })
    .meta({ id: 'ThemesData', description: 'All themes.' }),
  example: { themes: [{ theme: 'Harbor', set_count: 44 }] },
  handle({ catalog }) {
    return { themes: catalog.themes() }
  },
})

import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { word } from '../schemas/fields.ts'
import { NoParameters } from '../schemas/parameters.ts'

const ThemeShape = z
  .strictObject({
    theme: word('Name of the theme.', 'Harbor'),
    set_count: z.int().min(0).meta({ description: 'How many sets it has.', example: 44 }),
  })
  .meta({ id: 'Theme', description: 'A theme of the catalog.' })

/** GET /catalog/themes */
export const themes = endpoint({
  method: 'GET',
  path: '/catalog/themes',
  operationId: 'listThemes',
  tag: 'Catalog',
  summary: 'Every theme',
  description: 'All themes A–Z with their number of sets. Not paginated.',
  price: 1,
  params: NoParameters,
  query: NoParameters,
  data: z
    .strictObject({ themes: z.array(ThemeShape).meta({ description: 'A–Z.' }) })
    .meta({ id: 'ThemesData', description: 'All themes.' }),
  example: { themes: [{ theme: 'Harbor', set_count: 44 }] },
  handle({ catalog }) {
    return { themes: catalog.themes() }
  },
})

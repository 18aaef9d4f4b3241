import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { stringField } from '../schemas/fields.ts'
import { EmptyParams } from '../schemas/parameters.ts'

const ThemeSchema = z
  .strictObject({
    theme: stringField('Theme name.', 'Harbor'),
    set_count: z.int().min(0).meta({ description: 'Number of sets.', example: 44 }),
  })
  .meta({ id: 'Theme', description: 'A theme.' })

/** GET /catalog/themes */
export const themes = defineEndpoint({
  method: 'GET',
  path: '/catalog/themes',
  operationId: 'listThemes',
  tag: 'Catalog',
  summary: 'List themes',
  description: 'Lists all themes alphabetically with their set counts. Not paginated.',
  cost: 1,
  params: EmptyParams,
  query: EmptyParams,
  data: z
    .strictObject({ themes: z.array(ThemeSchema).meta({ description: 'In alphabetical order.' }) })
    .meta({ id: 'ThemesData', description: 'All themes.' }),
  example: { themes: [{ theme: 'Harbor', set_count: 44 }] },
  handle({ catalog }) {
    return { themes: catalog.themes() }
  },
})

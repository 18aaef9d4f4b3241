import type { StarlightUserConfig } from '@astrojs/starlight/types'
import { EXTENSIONS, operations, pageOf, tags } from './openapi.ts'

/** The order of reading. Every page is listed; a test checks it. */
export const sidebar: NonNullable<StarlightUserConfig['sidebar']> = [
  { label: 'Start here', items: ['index', 'quickstart', 'api-keys-and-quota', 'reduce-usage'] },
  {
    label: 'Guides',
    items: [
      'pagination',
      'errors',
      'track-prices',
      'alerts',
      'webhooks',
      'add-sets',
      'import-export',
      'account-export-format',
    ],
  },
  {
    label: 'API reference',
    items: [
      { label: 'All endpoints', slug: 'endpoints' },
      ...tags.map(({ name }) => ({
        label: name,
        items: operations.filter(({ prefix, tags }) => prefix !== EXTENSIONS && tags.includes(name)).map(pageOf),
      })),
      {
        label: 'Extensions',
        items: ['extensions', ...operations.filter(({ prefix }) => prefix === EXTENSIONS).map(pageOf)],
      },
      'schemas',
      { label: 'API playground', link: '/reference', attrs: { 'data-astro-prefetch': 'false' } },
    ],
  },
  {
    label: 'SDKs and tools',
    items: ['downloads', 'sdk-typescript', 'sdk-python', 'cli', 'mcp', 'google-sheets', 'excel'],
  },
  { label: 'Values and accuracy', items: ['values', 'valuation', 'accuracy'] },
  {
    label: 'Run Brickmark',
    items: [
      'run/install',
      'run/configuration',
      'run/containers',
      'run/sources',
      'run/feeds',
      'run/connectors',
      'run/operate',
      'run/monitoring',
      'run/runbooks',
      'run/back-up',
      'run/high-availability',
      'run/secure',
      'run/scale',
    ],
  },
  { label: 'Changes', items: ['changelog', 'versioning'] },
]

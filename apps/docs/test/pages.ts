import { loadPages } from '@brickmark/api/docs/pages'

/** Names of all pages. */
export const PAGES = loadPages('# Endpoints and fields', { origin: 'http://here', webUrl: undefined }).map(
  ({ name }) => name,
)

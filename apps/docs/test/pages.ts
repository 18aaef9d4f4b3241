import { loadPages } from '@brickmark/api/docs/pages'

/** The names of all pages. */
export const PAGES = loadPages('# Endpoints and fields', { origin: 'http://here', webUrl: undefined }).map(
  ({ name }) => name,
)

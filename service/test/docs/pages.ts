import { loadPages } from '../../src/api/docs/pages.ts'

/** The names of all pages. */
export const PAGES = loadPages('# Endpoints and fields', { origin: 'http://here', webUrl: undefined }).map(
  ({ name }) => name,
)

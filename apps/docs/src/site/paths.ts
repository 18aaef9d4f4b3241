import { pathToFileURL } from 'node:url'

// Not relative to this file: Astro bundles it into a temporary folder. Astro and the tests both know where they run.
/** The root of the repository. */
export const REPOSITORY = pathToFileURL(`${process.cwd().replace(/\/apps\/docs$/, '')}/`)

/** The pages, with the ones that are generated. */
export const CONTENT = new URL('apps/docs/src/content/docs/', REPOSITORY)

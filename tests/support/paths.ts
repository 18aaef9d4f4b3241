import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

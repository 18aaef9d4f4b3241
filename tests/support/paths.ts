import { fileURLToPath } from 'node:url'

/** Absolute path of the repository root. */
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

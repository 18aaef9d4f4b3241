import type { AnyEndpoint } from '../../endpoint.ts'
import { changes } from './changes.ts'
import { lots } from './lots.ts'
import { sales } from './sales.ts'
import { sets } from './sets.ts'
import { usage } from './usage.ts'

export const EXTENSIONS_PREFIX = '/api/extensions/v1'

/** Every endpoint under /api/extensions/v1: what the contract of v1 doesn't have. Keys, envelope and errors are the same. */
export const extensionRoutes: AnyEndpoint[] = [usage, changes, sets, lots, sales]

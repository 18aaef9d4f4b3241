import type { AnyEndpoint } from '../../endpoint.ts'
import { alerts } from './alerts.ts'
import { changes } from './changes.ts'
import { exportFile, exports } from './exports.ts'
import { lots } from './lots.ts'
import { sales } from './sales.ts'
import { sets } from './sets.ts'
import { usage } from './usage.ts'

/** Every endpoint under /api/extensions/v1: what the contract of v1 doesn't have. Keys, envelope and errors are the same. */
export const extensionRoutes: AnyEndpoint[] = [usage, changes, sets, lots, sales, alerts, exports]

/** Those that send a file instead of JSON. */
export const fileRoutes: AnyEndpoint[] = [exportFile]

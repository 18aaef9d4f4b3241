import { writeDueExports } from '@brickmark/core/export/export-commands'
import type { Job } from './job.ts'

/** Most of the time there is nothing to write. */
export const writeExportsJob: Job = { name: 'write-exports', cron: '*/10 * * * *', run: writeDueExports }

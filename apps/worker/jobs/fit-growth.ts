import { fitGrowth } from '@brickmark/core/market/values/growth-fit-commands'
import type { Job } from './job.ts'

/** Runs before every value is recomputed. */
export const fitGrowthJob: Job = { name: 'fit-growth', cron: '40 1 * * *', run: fitGrowth }

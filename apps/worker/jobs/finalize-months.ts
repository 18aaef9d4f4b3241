import { finalizeDueMonths } from '@brickmark/core/market/values/month-finalization-commands'
import type { Job } from './job.ts'

export const finalizeMonthsJob: Job = { name: 'finalize-months', cron: '30 0 * * *', run: finalizeDueMonths }

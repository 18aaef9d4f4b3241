import { measureAccuracy } from '@brickmark/core/market/values/accuracy-commands'
import type { Job } from './job.ts'

export const measureAccuracyJob: Job = { name: 'measure-accuracy', cron: '0 3 * * *', run: measureAccuracy }

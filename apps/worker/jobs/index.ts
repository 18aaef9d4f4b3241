import { applyTimeLimitsJob, hideExpiredPricesJob } from './apply-licenses.ts'
import { fitGrowthJob } from './fit-growth.ts'
import { finalizeMonthsJob } from './finalize-months.ts'
import type { Job } from './job.ts'
import { maintainPartitionsJob } from './maintain-partitions.ts'
import { queueAllItemsJob } from './queue-all-items.ts'
import { measureAccuracyJob } from './measure-accuracy.ts'
import { writeExportsJob } from './write-exports.ts'

/** The jobs of every worker. Each configured retailer adds one more (`poll-retailer.ts`). */
export const SCHEDULED_JOBS: Job[] = [
  maintainPartitionsJob,
  finalizeMonthsJob,
  fitGrowthJob,
  queueAllItemsJob,
  measureAccuracyJob,
  hideExpiredPricesJob,
  applyTimeLimitsJob,
  writeExportsJob,
]

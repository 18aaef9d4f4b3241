import type { ScaleResults } from './results.ts'

/** Assumptions of the capacity model. After a change, regenerate docs/scaling.md to update its tables. */
export const ASSUMPTIONS = {
  keys_per_account: 2,
  lots_per_account: 200,
  sales_per_account: 100,
  requests_per_account_and_day: 200,
  private_share: 0.2,
  /** Ratio of the busiest second of a day to the mean of the day. */
  peak: 5,
  /** Maximum CPU utilization at the peak. */
  utilisation: 0.5,
  quota_days_kept: 40,
  log_days_kept: 7,
  usd_per_core_hour: 0.05,
  usd_per_gb_month: 0.1,
  /** A large commodity server: the upper limit for the primary before it must be split. */
  server_cores: 64,
  server_memory_gb: 512,
  log_mb_per_second: 200,
}

type Assumed = typeof ASSUMPTIONS

/** Estimated resources and cost for a number of accounts. */
export type CapacityEstimate = {
  accounts: number
  requests_per_day: number
  peak_per_second: number
  api_cores: number
  api_nodes: number
  primary_cores: number
  standby_cores: number
  database_gb: number
  log_gb_per_day: number
  usd_per_month: number
  usd_per_million_requests: number
  /** Used share of one large server per resource, highest first. */
  bottlenecks: { name: string; share: number }[]
}

const DAY = 86_400
const MONTH_HOURS = 730
const MIN_NODES = 2

export function estimateCapacity(
  results: ScaleResults,
  accounts: number,
  requestsPerAccount: number,
  a: Assumed = ASSUMPTIONS,
): CapacityEstimate {
  const requests = accounts * requestsPerAccount
  const peak = (requests / DAY) * Math.min(a.peak, maxPeakFactor(requestsPerAccount, a))
  const { one: shared } = results.processes
  const own = results.standby.with
  const cores = (us: number, share = 1) => (peak * share * us) / 1e6 / a.utilisation
  const apiCores = cores(shared.node_cpu_us, 1 - a.private_share) + cores(own.node_cpu_us, a.private_share)
  const primaryCores = cores(shared.postgres_cpu_us, 1 - a.private_share) + cores(own.postgres_cpu_us, a.private_share)
  const standbyCores = cores(own.standby_cpu_us, a.private_share)
  const { sizes } = results
  const bytes =
    sizes.catalog_mb * 1e6 +
    accounts *
      (a.lots_per_account * sizes.bytes_per_lot +
        a.sales_per_account * sizes.bytes_per_sale +
        a.keys_per_account * (sizes.bytes_per_key + a.quota_days_kept * sizes.bytes_per_key_and_day))
  const log = requests * shared.wal_bytes
  const apiNodes = Math.max(MIN_NODES, Math.ceil(apiCores))
  // The standby, which serves account reads, must be able to take over at any time.
  const databaseCores = 2 * Math.max(1, Math.ceil(Math.max(primaryCores, standbyCores)))
  const month =
    (apiNodes + databaseCores) * a.usd_per_core_hour * MONTH_HOURS +
    ((2 * bytes + a.log_days_kept * log) / 1e9) * a.usd_per_gb_month
  const bottlenecks = [
    { name: 'primary CPU', share: primaryCores / a.server_cores },
    { name: 'standby CPU', share: standbyCores / a.server_cores },
    { name: 'memory for all account rows', share: bytes / 1e9 / a.server_memory_gb },
    { name: 'WAL writes', share: (peak * shared.wal_bytes) / 1e6 / a.log_mb_per_second },
  ]
  return {
    accounts,
    requests_per_day: requests,
    peak_per_second: peak,
    api_cores: apiCores,
    api_nodes: apiNodes,
    primary_cores: primaryCores,
    standby_cores: standbyCores,
    database_gb: bytes / 1e9,
    log_gb_per_day: log / 1e9,
    usd_per_month: month,
    usd_per_million_requests: month / ((requests * 30.4) / 1e6),
    bottlenecks: bottlenecks.toSorted((x, y) => y.share - x.share),
  }
}

/** With 1,000 credits per key and day, an account near its quota can't also have a peak of five times its mean. */
function maxPeakFactor(requestsPerAccount: number, a: Assumed): number {
  return Math.max(1, (a.keys_per_account * 1000) / requestsPerAccount)
}

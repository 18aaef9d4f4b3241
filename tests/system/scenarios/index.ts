import { abuse } from './abuse.ts'
import { admission } from './admission.ts'
import { alertLoad } from './alert-load.ts'
import { alertMail } from './alert-mail.ts'
import { alerts } from './alerts.ts'
import { burst } from './burst.ts'
import { containers } from './containers.ts'
import { contract } from './contract.ts'
import { crash } from './crash.ts'
import { dayOne } from './day-one.ts'
import { dayRollover } from './day-rollover.ts'
import { failover } from './failover.ts'
import { freshness } from './freshness.ts'
import { importUndo } from './import-undo.ts'
import { ingest } from './ingest.ts'
import { isolation } from './isolation.ts'
import { keyRevocation } from './key-revocation.ts'
import { lockContention } from './lock-contention.ts'
import { network } from './network.ts'
import { overload } from './overload.ts'
import { partitionMaintenance } from './partition-maintenance.ts'
import { postgresFreeze } from './postgres-freeze.ts'
import { restore } from './restore.ts'
import { rollingRestart } from './rolling-restart.ts'
import { searchCost } from './search-cost.ts'
import { secrets } from './secrets.ts'
import { soak } from './soak.ts'
import { upgrade } from './upgrade.ts'
import { valuationPipeline } from './valuation-pipeline.ts'
import { webhooks } from './webhooks.ts'
import type { Scenario } from '../harness/scenario.ts'

/** All scenarios, in the order `--list` prints them. */
export const scenarios: Scenario[] = [
  contract,
  isolation,
  admission,
  crash,
  dayRollover,
  partitionMaintenance,
  keyRevocation,
  freshness,
  searchCost,
  ingest,
  importUndo,
  dayOne,
  valuationPipeline,
  alerts,
  alertMail,
  webhooks,
  alertLoad,
  failover,
  upgrade,
  restore,
  lockContention,
  burst,
  overload,
  abuse,
  containers,
  postgresFreeze,
  network,
  rollingRestart,
  soak,
  secrets,
]

import { admission } from './admission.ts'
import { containers } from './containers.ts'
import { contract } from './contract.ts'
import { crash } from './crash.ts'
import { engine } from './engine.ts'
import { exhaustion } from './exhaustion.ts'
import { failover } from './failover.ts'
import { freshness } from './freshness.ts'
import { ingest } from './ingest.ts'
import { isolation } from './isolation.ts'
import { keys } from './keys.ts'
import { midnight } from './midnight.ts'
import { network } from './network.ts'
import { overload } from './overload.ts'
import { pause } from './pause.ts'
import { restore } from './restore.ts'
import { rolling } from './rolling.ts'
import { search } from './search.ts'
import { secrets } from './secrets.ts'
import { soak } from './soak.ts'
import { upgrade } from './upgrade.ts'
import type { Proof } from './proof.ts'

/** Every proof, in the order in which they are listed. */
export const proofs: Proof[] = [
  contract,
  isolation,
  admission,
  crash,
  midnight,
  keys,
  freshness,
  search,
  ingest,
  engine,
  failover,
  upgrade,
  restore,
  exhaustion,
  overload,
  containers,
  pause,
  network,
  rolling,
  soak,
  secrets,
]

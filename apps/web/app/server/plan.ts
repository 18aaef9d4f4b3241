import type { RouterContextProvider } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findApiKeys } from '@brickmark/core/account/api-key-queries'
import { findPlans } from '@brickmark/core/account/plan-queries'
import { findQuotaClock } from '@brickmark/core/account/usage-queries'
import type { PlanFacts } from '../components/plan-card.tsx'
import { servicesOf, signedIn } from './context.ts'

/** The account's plan, what of it is used today, and the other plans there are. */
export async function findPlan(context: Readonly<RouterContextProvider>): Promise<PlanFacts> {
  const { db, config } = servicesOf(context)
  const { accountId } = signedIn(context)
  const { clock, keys, plans } = await readAs(db, accountId, async (as) => ({
    clock: await findQuotaClock(as, accountId),
    keys: await findApiKeys(as, accountId),
    plans: await findPlans(as),
  }))
  return {
    plan: { name: clock.plan, apiAccess: clock.api_access, dailyLimit: clock.daily_limit },
    others: plans
      .filter(({ plan }) => plan !== clock.plan)
      .map(({ plan, api_access, daily_limit }) => ({ name: plan, apiAccess: api_access, dailyLimit: daily_limit })),
    activeKeys: keys.filter(({ state }) => state === 'active').length,
    usedToday: keys.reduce((units, key) => units + key.used_today, 0),
    mostUsed: Math.max(0, ...keys.map((key) => key.used_today)),
    contactEmail: config.contactEmail ?? null,
  }
}

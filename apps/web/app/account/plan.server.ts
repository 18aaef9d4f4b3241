import type { RouterContextProvider } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findApiKeys } from '@brickmark/core/account/api-key-queries'
import { findPlans } from '@brickmark/core/account/plan-queries'
import { findPlanAndReset } from '@brickmark/core/account/usage-queries'
import type { PlanSummary } from './plan-card.tsx'
import { getServices, requireUser } from '../request/context.server.ts'

/** Loads the account's plan, today's usage and the other available plans. */
export async function loadPlanSummary(context: Readonly<RouterContextProvider>): Promise<PlanSummary> {
  const { db, config } = getServices(context)
  const { accountId } = requireUser(context)
  const { quota, keys, plans } = await readAs(db, accountId, async (tx) => ({
    quota: await findPlanAndReset(tx, accountId),
    keys: await findApiKeys(tx, accountId),
    plans: await findPlans(tx),
  }))
  return {
    plan: { name: quota.plan, apiAccess: quota.api_access, dailyLimit: quota.daily_limit },
    others: plans
      .filter(({ plan }) => plan !== quota.plan)
      .map(({ plan, api_access, daily_limit }) => ({ name: plan, apiAccess: api_access, dailyLimit: daily_limit })),
    activeKeys: keys.filter(({ state }) => state === 'active').length,
    usedToday: keys.reduce((units, key) => units + key.used_today, 0),
    busiestKeyUsage: Math.max(0, ...keys.map((key) => key.used_today)),
    contactEmail: config.contactEmail ?? null,
  }
}

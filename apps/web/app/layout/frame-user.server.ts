import type { RouterContextProvider } from 'react-router'
import { countUnreadAlerts } from '@brickmark/core/alert/alert-queries'
import { readAs } from '@brickmark/core/db/database'
import { getServices, sessionContext } from '../request/context.server.ts'
import type { FrameUser } from '../ui/root-data.ts'

const MAX_UNREAD = 100

/** Returns what the frame of a page shows of the signed-in user; null for visitors. */
export async function loadFrameUser(context: Readonly<RouterContextProvider>): Promise<FrameUser | null> {
  const user = context.get(sessionContext)
  if (!user) return null
  const { accountId, email, operator } = user
  const unread = await readAs(getServices(context).db, accountId, (tx) => countUnreadAlerts(tx, accountId, MAX_UNREAD))
  return { email, operator, unread }
}

import { Outlet } from 'react-router'
import { AppFrame } from './app-frame.tsx'
import { loadFrameUser } from './frame-user.server.ts'
import { PublicFrame } from './public-frame.tsx'
import { getServices } from '../request/context.server.ts'
import { allowVisitors } from '../request/visitor.server.ts'
import type { Route } from './+types/site-layout.ts'

export const middleware = [allowVisitors]

export async function loader({ context }: Route.LoaderArgs) {
  return {
    user: await loadFrameUser(context),
    legalPages: getServices(context).legalPages.titles(),
  }
}

/** Layout of the pages that everyone may see: with the navigation of the application for those who are signed in. */
export default function SiteLayout({ loaderData }: Route.ComponentProps) {
  const { user, legalPages } = loaderData
  return user === null ? (
    <PublicFrame legalPages={legalPages}>
      <Outlet />
    </PublicFrame>
  ) : (
    <AppFrame user={user}>
      <Outlet />
    </AppFrame>
  )
}

import { Outlet } from 'react-router'
import { AppFrame } from './app-frame.tsx'
import { loadFrameUser } from './frame-user.server.ts'
import { requireSession } from '../request/session.server.ts'
import type { Route } from './+types/app-layout.ts'

export const middleware = [requireSession]

export async function loader({ context }: Route.LoaderArgs) {
  return (await loadFrameUser(context))!
}

/** Layout of the pages that require a session. */
export default function AppLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AppFrame user={loaderData}>
      <Outlet />
    </AppFrame>
  )
}

import { Outlet } from 'react-router'
import { AppFrame } from './app-frame.tsx'
import { requireUser } from '../request/context.server.ts'
import { requireSession } from '../request/session.server.ts'
import type { Route } from './+types/app-layout.ts'

export const middleware = [requireSession]

export function loader({ context }: Route.LoaderArgs) {
  const { email, operator } = requireUser(context)
  return { email, operator }
}

/** Layout of the pages that require a session. */
export default function AppLayout({ loaderData }: Route.ComponentProps) {
  return (
    <AppFrame user={loaderData}>
      <Outlet />
    </AppFrame>
  )
}

import { Outlet, useLoaderData, type LoaderFunctionArgs } from 'react-router'
import { AppFrame } from '../components/app-frame.tsx'
import { requireUser } from '../server/context.ts'
import { requireSession } from '../server/session.ts'

export const middleware = [requireSession]

export function loader({ context }: LoaderFunctionArgs) {
  const { email, operator } = requireUser(context)
  return { email, operator }
}

/** Layout of the pages that require a session. */
export default function AppLayout() {
  return (
    <AppFrame user={useLoaderData<typeof loader>()}>
      <Outlet />
    </AppFrame>
  )
}

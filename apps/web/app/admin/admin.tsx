import { Link, Outlet, useLocation } from 'react-router'
import { requireAdmin } from './admin.server.ts'

export const middleware = [requireAdmin]

/** React Router runs middleware for data requests only if the route has a loader. */
export function loader() {
  return null
}

const TABS: [to: string, label: string][] = [
  ['/admin', 'Accounts'],
  ['/admin/data', 'Data'],
  ['/admin/jobs', 'Jobs'],
  ['/admin/deliveries', 'Deliveries'],
  ['/admin/quarantine', 'Quarantine'],
  ['/admin/announcement', 'Announcement'],
  ['/admin/design', 'Design'],
]

/** Layout of the admin pages, with tabs. */
export default function Admin() {
  const { pathname } = useLocation()
  const here = TABS.findLast(([to]) => pathname.startsWith(to))?.[0]
  return (
    <>
      <nav aria-label="Admin" className="mx-auto mb-5 max-w-6xl border-b border-line">
        <ul className="flex flex-wrap gap-x-5">
          {TABS.map(([to, label]) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={to === here ? 'page' : undefined}
                className="-mb-px block border-b-2 border-transparent py-2 text-ink-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-accent"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </>
  )
}

import {
  Form,
  NavLink,
  Outlet,
  useLoaderData,
  useLocation,
  useRouteLoaderData,
  type LoaderFunctionArgs,
} from 'react-router'
import { Footer, Logo } from '../components/plain-layout.tsx'
import { navigation } from '../components/navigation.ts'
import type { loader as rootLoader } from '../root.tsx'
import { requireUser } from '../server/context.ts'
import { requireSession } from '../server/session.ts'

export const middleware = [requireSession]

export function loader({ context }: LoaderFunctionArgs) {
  const { email, operator } = requireUser(context)
  return { email, operator }
}

/** Layout of all signed-in pages, with navigation and sign-out. */
export default function AppLayout() {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[13.5rem_1fr]">
      <header className="border-b border-line bg-card lg:border-r lg:border-b-0">
        <details className="group lg:hidden">
          <summary className="flex items-center justify-between px-4 py-3 font-bold">
            <span>
              <Logo /> Brickmark
            </span>
            <span className="rounded-control border border-line-strong px-2 py-0.5 text-sm font-medium">Menu</span>
          </summary>
          <Menu />
        </details>
        <div className="sticky top-0 hidden h-dvh flex-col lg:flex">
          <p className="px-5 py-5 text-lg font-bold tracking-tight">
            <Logo /> Brickmark
          </p>
          <Menu />
        </div>
      </header>
      <div className="flex min-w-0 flex-col px-4 lg:px-8">
        <main id="content" className="flex-1 py-6">
          <Outlet />
        </main>
        <Footer />
      </div>
    </div>
  )
}

function Menu() {
  const { email, operator } = useLoaderData<typeof loader>()
  const items = navigation.filter((item) => !item.operatorOnly || operator)
  const apiUrl = useRouteLoaderData<typeof rootLoader>('root')?.apiUrl ?? ''
  const docsUrl = apiUrl.replace(/\/api\/v1$/, '/docs/')
  return (
    <>
      <nav aria-label="Main" className="flex-1 px-3 pb-2">
        <ul className="grid gap-0.5">
          {items.map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === '/'}
                className="block rounded-control border-l-3 border-transparent px-3 py-1.5 text-ink no-underline hover:bg-sunken aria-[current=page]:border-accent aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent"
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid gap-2 border-t border-line px-5 py-4 text-sm">
        <a href={docsUrl}>Docs of the API</a>
        <ThemeSwitcher />
        <p className="truncate text-ink-soft" title={email}>
          {email}
        </p>
        <Form method="post" action="/sign-out">
          <button type="submit" className="underline decoration-line-strong underline-offset-4">
            Sign out
          </button>
        </Form>
      </div>
    </>
  )
}

function ThemeSwitcher() {
  const theme = useRouteLoaderData<typeof rootLoader>('root')?.theme ?? 'system'
  const { pathname, search } = useLocation()
  return (
    <Form method="post" action="/theme" preventScrollReset>
      <input type="hidden" name="to" value={pathname + search} />
      <fieldset className="flex items-center gap-1">
        <legend className="sr-only">Appearance</legend>
        {['light', 'dark', 'system'].map((name) => (
          <button
            key={name}
            type="submit"
            name="theme"
            value={name}
            aria-pressed={name === theme}
            className="rounded-control px-1.5 py-0.5 text-ink-soft capitalize aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
          >
            {name}
          </button>
        ))}
      </fieldset>
    </Form>
  )
}

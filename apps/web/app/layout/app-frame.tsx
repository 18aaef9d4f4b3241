import { BookOpen, Menu as MenuIcon, Plus, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { Form, Link, NavLink } from 'react-router'
import { ButtonLink } from '../ui/button.tsx'
import { navigation, tabs } from './navigation.ts'
import { Footer, Logo } from './plain-layout.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { ThemeSwitcher } from './theme-switcher.tsx'
import { useRootData, type FrameUser } from '../ui/root-data.ts'

/**
 * Frame of all pages for signed-in users: a side bar and a search field on wide screens; on phones a menu at the top and
 * tabs at the bottom.
 */
export function AppFrame({ user, children }: { user: FrameUser; children: ReactNode }) {
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[13.5rem_1fr]">
      <header className="border-b border-line bg-card lg:border-r lg:border-b-0">
        <details className="lg:hidden">
          <summary className="flex h-[54px] list-none items-center justify-between px-4 text-lg font-semibold">
            <span>
              <Logo /> Brickmark
            </span>
            <span className="inline-flex items-center gap-1.5 rounded-control px-2 py-1 text-sm font-medium text-ink-soft">
              <MenuIcon aria-hidden="true" className="size-4" /> Menu
            </span>
          </summary>
          <SideBar user={user} />
        </details>
        <div className="sticky top-0 hidden h-dvh flex-col overflow-y-auto lg:flex">
          <p className="px-5 pt-5 pb-4 text-lg font-semibold tracking-tight">
            <Logo /> Brickmark
          </p>
          <SideBar user={user} />
        </div>
      </header>
      <div className="flex min-w-0 flex-col pb-16 lg:pb-0">
        <TopBar />
        <main id="content" className="flex-1 px-4 py-6 lg:px-8">
          {children}
        </main>
        <div className="px-4 lg:px-8">
          <Footer />
        </div>
      </div>
      <Tabs />
    </div>
  )
}

function TopBar() {
  return (
    <nav
      aria-label="Search and help"
      className="sticky top-0 z-10 hidden h-14 items-center justify-between gap-6 border-b border-line bg-paper px-8 lg:flex"
    >
      <SearchField />
      <div className="flex items-center gap-3">
        <DocsLink />
        <ButtonLink to="/collections">
          <Plus aria-hidden="true" className="size-4" /> Add
        </ButtonLink>
      </div>
    </nav>
  )
}

function DocsLink() {
  const apiUrl = useRootData()?.apiUrl ?? ''
  return (
    <a
      href={apiUrl.replace(/\/api\/v1$/, '/docs/')}
      className="inline-flex items-center gap-2 rounded-control px-2 py-1.5 text-ink-soft no-underline hover:bg-sunken hover:text-ink"
    >
      <BookOpen aria-hidden="true" className="size-4" /> Docs
    </a>
  )
}

/** Links in the side bar and the menu. */
const ITEM_CLASSES =
  'flex items-center gap-3 rounded-control px-3 py-2 text-ink-soft no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent'

function SideBar({ user: { email, operator, unread } }: { user: FrameUser }) {
  return (
    <>
      <nav aria-label="Main" className="grid flex-1 content-start gap-4 px-3 pb-4">
        {navigation
          .filter((group) => !group.operatorOnly || operator)
          .map(({ title, items }) => (
            <div key={title ?? 'main'}>
              {title !== undefined && <p className="px-3 pb-1 text-xs text-ink-faint">{title}</p>}
              <ul className="grid gap-0.5">
                {items.map(({ to, label, icon: Icon }) => (
                  <li key={to}>
                    <NavLink to={to} end={to === '/'} className={ITEM_CLASSES}>
                      <Icon aria-hidden="true" className="size-[18px] shrink-0" /> {label}
                      {to === '/alerts' && unread > 0 && <Unread count={unread} />}
                    </NavLink>
                  </li>
                ))}
              </ul>
            </div>
          ))}
      </nav>
      <div className="grid gap-2 border-t border-line px-3 py-4 text-sm">
        <span className="lg:hidden">
          <DocsLink />
        </span>
        <ThemeSwitcher />
        <Link
          to="/account"
          title={email}
          className="flex items-center justify-between gap-2 rounded-control px-2 py-1.5 text-ink no-underline hover:bg-sunken"
        >
          <span className="truncate">{email}</span>
          <Settings aria-hidden="true" className="size-4 shrink-0 text-ink-soft" />
          <span className="sr-only">Account</span>
        </Link>
        <Form method="post" action="/sign-out">
          <button type="submit" className="rounded-control px-2 py-1 text-ink-soft hover:bg-sunken hover:text-ink">
            Sign out
          </button>
        </Form>
      </div>
    </>
  )
}

function Unread({ count }: { count: number }) {
  return (
    <span className="ml-auto rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent">
      {count < 100 ? count : '99+'}
      <span className="sr-only"> new</span>
    </span>
  )
}

/** Tabs at the bottom of a phone. */
function Tabs() {
  return (
    <nav
      aria-label="Tabs"
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-5 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {tabs.map(({ to, label, icon: Icon }) => (
        <NavLink
          key={to}
          to={to}
          end={to === '/'}
          className="grid min-h-14 content-center justify-items-center gap-0.5 text-xs text-ink-soft no-underline aria-[current=page]:font-semibold aria-[current=page]:text-accent"
        >
          <Icon aria-hidden="true" className="size-5" />
          {label}
        </NavLink>
      ))}
    </nav>
  )
}

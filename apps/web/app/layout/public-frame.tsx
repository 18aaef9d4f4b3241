import type { ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { ButtonLink } from '../ui/button.tsx'
import { Logo, Trademark } from './plain-layout.tsx'
import { ThemeSwitcher } from './theme-switcher.tsx'
import { useRootData } from '../ui/root-data.ts'

/** A legal page of the operator: its file name without extension, and its title. */
export type LegalPage = { name: string; title: string }

/** Frame of the pages that visitors see without signing in. */
export function PublicFrame({ legalPages, children }: { legalPages: LegalPage[]; children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-[1180px] flex-col px-4 sm:px-6">
      <header className="flex h-16 flex-wrap items-center justify-between gap-x-6">
        <div className="flex items-center gap-8">
          <Link to="/" className="text-lg font-semibold tracking-tight text-ink no-underline">
            <Logo /> Brickmark
          </Link>
          <nav aria-label="Main" className="hidden gap-6 md:flex">
            <FrameLinks />
          </nav>
        </div>
        <div className="flex items-center gap-4">
          <Link to="/sign-in" className="text-ink-soft no-underline hover:text-ink">
            Sign in
          </Link>
          <ButtonLink to="/sign-up" variant="main">
            Get started
          </ButtonLink>
        </div>
      </header>
      <nav aria-label="Pages" className="-mx-1 flex gap-4 overflow-x-auto px-1 pb-3 text-sm md:hidden">
        <FrameLinks />
      </nav>
      <main id="content" className="flex-1 py-4">
        {children}
      </main>
      <PublicFooter legalPages={legalPages} />
    </div>
  )
}

const LINKS = [
  ['/search', 'Browse sets'],
  ['/pricing', 'Pricing'],
  ['/how-values-work', 'How values work'],
] as const

function FrameLinks() {
  return (
    <>
      {LINKS.map(([to, label]) => (
        <NavLink
          key={to}
          to={to}
          className="py-1 whitespace-nowrap text-ink-soft no-underline hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}
        </NavLink>
      ))}
      <DocsLink className="py-1 whitespace-nowrap text-ink-soft no-underline hover:text-ink">API</DocsLink>
    </>
  )
}

/** Link to the documentation, which the API serves. */
function DocsLink({ page = '', className, children }: { page?: string; className?: string; children: ReactNode }) {
  const apiUrl = useRootData()?.apiUrl ?? ''
  return (
    <a href={`${apiUrl.replace(/\/api\/v1$/, '/docs/')}${page}`} className={className}>
      {children}
    </a>
  )
}

function PublicFooter({ legalPages }: { legalPages: LegalPage[] }) {
  const linkClasses = 'text-ink-soft no-underline hover:text-ink hover:underline'
  const columns: [title: string, links: [to: string, label: string][]][] = [
    ['Product', LINKS.map(([to, label]) => [to, label])],
    [
      'Company',
      [['/about', 'About'], ...legalPages.map(({ name, title }): [string, string] => [`/legal/${name}`, title])],
    ],
  ]
  return (
    <footer className="mt-16 border-t border-line py-8 text-sm">
      <div className="grid gap-8 sm:grid-cols-[minmax(0,2fr)_1fr_1fr_1fr]">
        <div className="grid content-start gap-3">
          <p className="font-semibold">
            <Logo /> Brickmark
          </p>
          <p className="max-w-64 text-ink-soft">
            Market values for brick collectors and resellers, with the evidence behind every number.
          </p>
          <ThemeSwitcher />
        </div>
        {columns.map(([title, links]) => (
          <div key={title}>
            <p className="mb-2 font-medium">{title}</p>
            <ul className="grid gap-1.5">
              {links.map(([to, label]) => (
                <li key={to}>
                  <Link to={to} className={linkClasses}>
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div>
          <p className="mb-2 font-medium">Developers</p>
          <ul className="grid gap-1.5">
            <li>
              <DocsLink className={linkClasses}>API docs</DocsLink>
            </li>
          </ul>
        </div>
      </div>
      <p className="mt-8 text-xs text-ink-soft">
        <Trademark />
      </p>
    </footer>
  )
}

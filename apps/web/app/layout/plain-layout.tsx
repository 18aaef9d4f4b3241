import type { ReactNode } from 'react'
import { Link } from 'react-router'

/** Layout without navigation, for sign-in and error pages. */
export function PlainLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-6xl flex-col px-4">
      <header className="py-5">
        <Link to="/" className="text-lg font-bold tracking-tight text-ink no-underline">
          <Logo /> Brickmark
        </Link>
      </header>
      <main id="content" className="flex-1 py-6">
        {children}
      </main>
      <Footer />
    </div>
  )
}

const EXAMPLE_PICTURES = ['lighthouse', 'treehouse', 'tugboat', 'castle']

/** Layout for signing in and up: a form, beside pictures on wide screens. */
export function SignInLayout({ children }: { children: ReactNode }) {
  return (
    <div className="lg:grid lg:grid-cols-2">
      <PlainLayout>{children}</PlainLayout>
      <aside className="hidden flex-col justify-center gap-8 bg-accent-soft p-12 lg:flex">
        <div className="mx-auto grid w-full max-w-xl grid-cols-2 gap-4">
          {EXAMPLE_PICTURES.map((name) => (
            <img
              key={name}
              src={`/pictures/examples/${name}`}
              alt=""
              width={300}
              height={300}
              loading="lazy"
              className="aspect-square w-full"
            />
          ))}
        </div>
        <div className="mx-auto w-full max-w-xl">
          <p className="text-xl font-semibold">A value, its range, and how sure it is.</p>
          <p className="mt-1 text-ink-soft">We measure how often our values were right, and publish it.</p>
        </div>
      </aside>
    </div>
  )
}

/** Logo: a stack of bricks seen from the side. */
export function Logo() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="mr-1 inline size-4 align-[-0.1em] fill-accent">
      <rect x="1" y="10" width="14" height="4" rx="1" />
      <rect x="1" y="5" width="9" height="4" rx="1" />
      <rect x="1" y="0" width="4" height="4" rx="1" />
    </svg>
  )
}

export function Footer() {
  return (
    <footer className="py-6 text-xs text-ink-soft">
      <Trademark />
    </footer>
  )
}

export function Trademark() {
  return 'LEGO® is a trademark of the LEGO Group of companies, which does not sponsor, authorize or endorse Brickmark.'
}

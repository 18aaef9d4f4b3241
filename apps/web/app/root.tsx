import { use, useEffect, useRef, type ReactNode } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRouteError,
} from 'react-router'
import interFont from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import stylesheet from './app.css?url'
import suggestionsScript from './search/suggestions-field.js?url'
import { Announcement } from './layout/announcement.tsx'
import { AppFrame } from './layout/app-frame.tsx'
import { PlainLayout } from './layout/plain-layout.tsx'
import { ButtonLink } from './ui/button.tsx'
import { NonceContext } from './ui/nonce.ts'
import { Page } from './ui/page.tsx'
import { useIsVisitor, useRootData, type RootData } from './ui/root-data.ts'
import { requestContext, getServices, sessionContext } from './request/context.server.ts'
import { loadSession } from './request/session.server.ts'
import { loadExchangeRate } from './layout/currency.server.ts'
import { readTheme } from './layout/theme.server.ts'
import { readTimeZone } from './layout/time-zone.server.ts'
import type { Route } from './+types/root.ts'

export const middleware = [loadSession]

export const links = () => [
  { rel: 'preload', href: interFont, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: stylesheet },
]

export async function loader({ request, context }: Route.LoaderArgs): Promise<RootData> {
  const { config, announcement } = getServices(context)
  const { apiUrl, publicUrl, publicPages } = config
  const user = context.get(sessionContext)
  return {
    theme: readTheme(request),
    timeZone: readTimeZone(request),
    exchangeRate: await loadExchangeRate(request, context),
    announcement: (await announcement())?.message ?? null,
    apiUrl,
    publicUrl,
    isPublic: publicPages !== 'off',
    hasBadges: publicPages === 'values',
    user: user && { email: user.email, operator: user.operator },
    requestId: context.get(requestContext).requestId,
  }
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(NonceContext)
  const theme = useRootData()?.theme
  // Pages for visitors are plain HTML: they load faster, and everything on them is a link or a form.
  const isVisitor = useIsVisitor()
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <Meta />
        <Links />
      </head>
      <body>
        <a
          href="#content"
          className="sr-only z-30 rounded-control bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        <LoadingBar />
        <Announcement />
        {children}
        {!isVisitor && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: SAVE_TIME_ZONE }} />
        <script type="module" src={suggestionsScript} nonce={nonce} suppressHydrationWarning />
      </body>
    </html>
  )
}

/** Lets the server render times in the time zone of the reader. */
const SAVE_TIME_ZONE =
  'document.cookie=`time-zone=${Intl.DateTimeFormat().resolvedOptions().timeZone};path=/;max-age=31536000;samesite=lax`'

export default function App() {
  useFocusHeadingOnNavigation()
  return <Outlet />
}

/** Error page with an explanation and a link to continue. Signed-in users keep their navigation. */
export function ErrorBoundary() {
  const error = useRouteError()
  const root = useRootData()
  const requestId = root?.requestId
  const status = isRouteErrorResponse(error) ? error.status : 500
  const [title, lead] = errorCopy(status, isRouteErrorResponse(error) ? String(error.data) : '')
  const page = (
    <>
      <title>{`${title} · Brickmark`}</title>
      <Page title={title} description={lead} narrow>
        {status >= 500 && requestId !== undefined && (
          <p className="text-sm text-ink-soft">
            If this keeps happening, contact support and include this request ID: <code>{requestId}</code>
          </p>
        )}
        <div className="flex gap-2">
          <ButtonLink to="/" variant="main" reloadDocument>
            Go to overview
          </ButtonLink>
        </div>
      </Page>
    </>
  )
  return root?.user ? <AppFrame user={{ ...root.user, unread: 0 }}>{page}</AppFrame> : <PlainLayout>{page}</PlainLayout>
}

/** Returns title and text of the error page for a status; `serverMessage` is shown for 413. */
function errorCopy(status: number, serverMessage: string): [title: string, lead: string] {
  if (status === 404) return ['Page not found', 'Check the URL. The page may have been moved or deleted.']
  if (status === 403) return ['You don’t have access', 'This page belongs to a different account.']
  if (status === 429)
    return [
      'Daily limit reached',
      'You’ve opened a lot of pages today. Sign in to keep browsing, or come back tomorrow.',
    ]
  if (status === 413) return ['File too large', serverMessage]
  if (status < 500) return ['Something’s not right', 'This form is incomplete or out of date. Go back and try again.']
  return ['Something went wrong', 'It’s not you, it’s us. Try again in a moment.']
}

/** Progress bar shown during client-side navigation. */
function LoadingBar() {
  if (useNavigation().state === 'idle') return null
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-30 h-0.5 animate-pulse bg-accent">
      <span className="sr-only">Loading</span>
    </div>
  )
}

/** Moves focus to the heading after client-side navigation, so that screen readers announce it as after a full load. */
function useFocusHeadingOnNavigation() {
  const { pathname, key } = useLocation()
  // Its key isn't “default”, because ScrollRestoration gives it another one before.
  const isInitialPage = useRef(true)
  useEffect(() => {
    // The browser announces the initial page itself, and focuses the field that has autofocus.
    if (!isInitialPage.current) document.querySelector('h1')?.focus({ preventScroll: true })
    isInitialPage.current = false
  }, [pathname, key])
}

import { useRouteLoaderData } from 'react-router'
import type { ExchangeRate } from '@brickmark/core/market/currency/exchange-rate'

/** The signed-in user, as the frame of a page shows it. `unread` counts alerts, up to a hundred. */
export type FrameUser = { email: string; operator: boolean; unread: number }

/** What every page knows. */
export type RootData = {
  theme: 'light' | 'dark' | undefined
  timeZone: string | undefined
  /** The currency that values are shown in beside US dollars. */
  exchangeRate: ExchangeRate | null
  /** Base URL of the API, ending in /api/v1. */
  apiUrl: string
  publicUrl: string
  /** Whether visitors see pages without signing in. */
  isPublic: boolean
  /** The operator’s message. */
  announcement: string | null
  /** Whether pages elsewhere may show the value of a set. */
  hasBadges: boolean
  user: Omit<FrameUser, 'unread'> | null
  requestId: string
}

/** Returns undefined if loading the page failed before its data was known. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<RootData>('root')
}

/** Whether this page is shown to a visitor: it then is plain HTML. */
export function useIsVisitor(): boolean {
  return useRouteLoaderData<{ user: FrameUser | null }>('layout/site-layout')?.user === null
}

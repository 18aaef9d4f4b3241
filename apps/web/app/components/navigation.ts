import {
  ChartNoAxesColumn,
  CircleGauge,
  Import,
  KeyRound,
  LayoutDashboard,
  Layers,
  ReceiptText,
  Search,
  ShieldCheck,
  Tag,
  type LucideIcon,
} from 'lucide-react'

export type NavigationItem = { to: string; label: string; icon: LucideIcon }

export type NavigationGroup = { title?: string; operatorOnly?: true; items: NavigationItem[] }

/** Entries of the navigation, in display order. A new page needs a route in `routes.ts` and an entry here. */
export const navigation: NavigationGroup[] = [
  {
    items: [
      { to: '/', label: 'Overview', icon: LayoutDashboard },
      { to: '/search', label: 'Browse sets', icon: Search },
      { to: '/watchlist', label: 'Watchlist', icon: Tag },
    ],
  },
  {
    title: 'Portfolio',
    items: [
      { to: '/collections', label: 'Collections', icon: Layers },
      { to: '/sales', label: 'Sales', icon: ReceiptText },
      { to: '/import', label: 'Import', icon: Import },
    ],
  },
  {
    title: 'Developers',
    items: [
      { to: '/keys', label: 'API keys', icon: KeyRound },
      { to: '/usage', label: 'Usage', icon: CircleGauge },
    ],
  },
  {
    title: 'Operations',
    operatorOnly: true,
    items: [{ to: '/admin', label: 'Admin', icon: ShieldCheck }],
  },
]

/** The tabs at the bottom of a phone; everything else is in the menu. */
export const tabs: NavigationItem[] = [
  { to: '/', label: 'Overview', icon: LayoutDashboard },
  { to: '/search', label: 'Browse', icon: Search },
  { to: '/watchlist', label: 'Watchlist', icon: Tag },
  { to: '/collections', label: 'Collections', icon: Layers },
  { to: '/sales', label: 'Sales', icon: ChartNoAxesColumn },
]

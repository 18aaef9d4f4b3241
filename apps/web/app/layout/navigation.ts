import {
  Bell,
  CircleGauge,
  Eye,
  Import,
  KeyRound,
  LayoutDashboard,
  Layers,
  ReceiptText,
  Search,
  ShieldCheck,
  Tag,
  Webhook,
  type LucideIcon,
} from 'lucide-react'

/** `tab` is the label among the tabs at the bottom of a phone; without it, an item is only in the menu. */
type NavigationItem = { to: string; label: string; icon: LucideIcon; tab?: string }

export type NavigationGroup = { title?: string; operatorOnly?: true; items: NavigationItem[] }

/** Entries of the navigation, in display order. A new page needs a route in `routes.ts` and an entry here. */
export const navigation: NavigationGroup[] = [
  {
    items: [
      { to: '/', label: 'Overview', icon: LayoutDashboard, tab: 'Overview' },
      { to: '/deals', label: 'Deals', icon: Tag, tab: 'Deals' },
      { to: '/search', label: 'Browse sets', icon: Search },
      { to: '/watchlist', label: 'Watchlist', icon: Eye, tab: 'Watchlist' },
      { to: '/alerts', label: 'Alerts', icon: Bell },
    ],
  },
  {
    title: 'Portfolio',
    items: [
      { to: '/collections', label: 'Collections', icon: Layers, tab: 'Collections' },
      { to: '/sales', label: 'Sales', icon: ReceiptText, tab: 'Sales' },
      { to: '/import', label: 'Import', icon: Import },
    ],
  },
  {
    title: 'Developers',
    items: [
      { to: '/keys', label: 'API keys', icon: KeyRound },
      { to: '/webhooks', label: 'Webhooks', icon: Webhook },
      { to: '/usage', label: 'Usage', icon: CircleGauge },
    ],
  },
  {
    title: 'Operations',
    operatorOnly: true,
    items: [{ to: '/admin', label: 'Admin', icon: ShieldCheck }],
  },
]

/** The tabs at the bottom of a phone. */
export const tabs = navigation.flatMap(({ items }) =>
  items.flatMap(({ tab, ...item }) => (tab === undefined ? [] : [{ ...item, label: tab }])),
)

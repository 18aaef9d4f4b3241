export type NavigationItem = { to: string; label: string; operatorOnly?: true }

/** Entries of the side navigation, in display order. A new page needs a route in `routes.ts` and an entry here. */
export const navigation: NavigationItem[] = [
  { to: '/', label: 'Overview' },
  { to: '/search', label: 'Search' },
  { to: '/watchlist', label: 'Watch' },
  { to: '/collections', label: 'Collections' },
  { to: '/import', label: 'Import' },
  { to: '/sales', label: 'Sales' },
  { to: '/keys', label: 'API keys' },
  { to: '/usage', label: 'Usage' },
  { to: '/account', label: 'Account' },
  { to: '/admin', label: 'Operator', operatorOnly: true },
]

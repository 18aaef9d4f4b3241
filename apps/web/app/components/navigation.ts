/** One page of the side navigation. */
export type NavigationItem = { to: string; label: string; operatorOnly?: true }

/** The pages in the order they are listed. To add a page: its route in `routes.ts`, its line here. */
export const navigation: NavigationItem[] = [
  { to: '/', label: 'Overview' },
  { to: '/search', label: 'Search' },
  { to: '/watch', label: 'Watch' },
  { to: '/collections', label: 'Collections' },
  { to: '/import', label: 'Import' },
  { to: '/sales', label: 'Sales' },
  { to: '/keys', label: 'API keys' },
  { to: '/usage', label: 'Usage' },
  { to: '/account', label: 'Account' },
  { to: '/operator', label: 'Operator', operatorOnly: true },
]

import { SegmentedLinks } from '../ui/segmented-links.tsx'

/** Switches between what the account watches and what it owns. */
export function WatchlistTabs({ selected }: { selected: 'watching' | 'owned' }) {
  return (
    <SegmentedLinks
      label="Watchlist"
      selected={selected}
      options={[
        ['watching', 'Watching'],
        ['owned', 'Sets you own'],
      ]}
      hrefFor={(tab) => (tab === 'owned' ? '/watchlist/owned' : '/watchlist')}
    />
  )
}

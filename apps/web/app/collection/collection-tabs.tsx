import { SegmentedLinks } from '../ui/segmented-links.tsx'

/** Switches between a collection's lots and how it performs. */
export function CollectionTabs({ id, selected }: { id: number; selected: 'lots' | 'performance' }) {
  return (
    <SegmentedLinks
      label="View"
      selected={selected}
      options={[
        ['lots', 'Lots'],
        ['performance', 'Performance'],
      ]}
      hrefFor={(tab) => (tab === 'lots' ? `/collections/${id}` : `/collections/${id}/performance`)}
    />
  )
}

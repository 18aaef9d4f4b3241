import { SegmentedLinks } from '../ui/segmented-links.tsx'

const PATHS = { set: 'add', minifig: 'add/minifig', custom: 'add/custom' }

/** Switches between what can be added to a collection. */
export function AddTabs({ collectionId, selected }: { collectionId: number; selected: keyof typeof PATHS }) {
  return (
    <SegmentedLinks
      label="What to add"
      selected={selected}
      options={[
        ['set', 'Set'],
        ['minifig', 'Minifig'],
        ['custom', 'Custom item'],
      ]}
      hrefFor={(kind) => `/collections/${collectionId}/${PATHS[kind as keyof typeof PATHS]}`}
    />
  )
}

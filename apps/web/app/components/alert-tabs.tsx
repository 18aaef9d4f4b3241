import { SegmentedLinks } from './segmented-links.tsx'

/** Switches between alerts and alert rules. */
export function AlertTabs({ selected }: { selected: 'alerts' | 'rules' }) {
  return (
    <SegmentedLinks
      label="Alerts"
      selected={selected}
      options={[
        ['alerts', 'What happened'],
        ['rules', 'Rules'],
      ]}
      hrefFor={(tab) => (tab === 'rules' ? '/alerts/rules' : '/alerts')}
    />
  )
}

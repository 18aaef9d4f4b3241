import { SegmentedLinks } from './segmented-links.tsx'

/** Switches between what happened and the rules that decide what is worth an alert. */
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

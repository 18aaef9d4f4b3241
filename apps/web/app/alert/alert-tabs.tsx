import { SegmentedLinks } from '../ui/segmented-links.tsx'

const PATHS = { alerts: '/alerts', rules: '/alerts/rules', email: '/alerts/email' }

/** Switches between alerts, their rules, and when to send them by email. */
export function AlertTabs({ selected }: { selected: keyof typeof PATHS }) {
  return (
    <SegmentedLinks
      label="Alerts"
      selected={selected}
      options={[
        ['alerts', 'What happened'],
        ['rules', 'Rules'],
        ['email', 'Email'],
      ]}
      hrefFor={(tab) => PATHS[tab as keyof typeof PATHS]}
    />
  )
}

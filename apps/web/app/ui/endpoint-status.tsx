import { Badge } from './badge.tsx'

const LABELS = { owner: 'Disabled', gone: 'Gone' }

/** Whether a webhook endpoint is enabled; if not, why. */
export function EndpointStatus({ reason }: { reason: 'owner' | 'gone' | null }) {
  return <Badge tone={reason === null ? 'gain' : 'plain'}>{reason === null ? 'Enabled' : LABELS[reason]}</Badge>
}

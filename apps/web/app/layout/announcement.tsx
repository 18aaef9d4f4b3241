import { Megaphone } from 'lucide-react'
import { useRootData } from '../ui/root-data.ts'

/** The operator’s message, at the top of every page. */
export function Announcement() {
  const message = useRootData()?.announcement ?? null
  if (message === null) return null
  return (
    <aside
      aria-label="Announcement"
      className="flex items-start justify-center gap-2 border-b border-warn bg-warn-soft px-4 py-2 text-sm text-ink"
    >
      <Megaphone aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
      <p className="max-w-prose min-w-0 wrap-anywhere">{message}</p>
    </aside>
  )
}

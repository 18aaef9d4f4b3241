/** Meter for a key's usage of its daily quota. */
export function UsageMeter({ used, limit, name }: { used: number; limit: number; name: string }) {
  const percent = Math.min(100, Math.round((used / limit) * 100))
  return (
    <span className="flex min-w-32 items-center gap-2">
      <span
        role="meter"
        aria-label={`${name} today`}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 flex-1 overflow-hidden rounded-full bg-sunken"
      >
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="w-10 text-right">{percent}%</span>
    </span>
  )
}

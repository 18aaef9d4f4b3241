/** How sure a value of each tier is. */
export const CONFIDENCE: Record<string, { pips: number; label: string; meaning: string }> = {
  market: { pips: 3, label: 'High confidence', meaning: '' },
  thin: { pips: 2, label: 'Medium confidence', meaning: 'Based on only a few sales, so expect a wider range.' },
  modelled: {
    pips: 1,
    label: 'Low confidence',
    meaning: 'No recent sales. Estimated from sets of the same theme and age.',
  },
}

/** Three bricks, filled by how sure the value is. */
export function Confidence({ tier }: { tier: string }) {
  const confidence = CONFIDENCE[tier]
  if (confidence === undefined) return null
  return (
    <span className="flex items-center gap-2 text-xs text-ink-soft">
      <svg aria-hidden="true" viewBox="0 0 34 10" className="h-2.5 w-8">
        {[0, 1, 2].map((brick) => (
          <path
            key={brick}
            d={`M${brick * 12} 3h1.5V1h2.5v2h2V1h2.5v2H${brick * 12 + 10}v7h-10z`}
            className={brick < confidence.pips ? 'fill-accent' : 'fill-line'}
          />
        ))}
      </svg>
      {confidence.label}
    </span>
  )
}

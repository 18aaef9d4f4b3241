/** Says how many units the totals leave out, and of what. */
export function ExcludedUnits({ withoutValue, withoutCost }: { withoutValue: number; withoutCost: number }) {
  if (withoutValue === 0 && withoutCost === 0) return null
  return (
    <p className="text-sm text-ink-soft">
      {[
        withoutValue > 0 && `${countUnits(withoutValue, 'no value yet')} included in value, cost basis or gain.`,
        withoutCost > 0 && `${countUnits(withoutCost, 'no purchase price')} included in cost basis or gain.`,
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  )
}

function countUnits(units: number, lacking: string): string {
  return units === 1
    ? `1 unit has ${lacking} and isn’t`
    : `${units.toLocaleString('en-US')} units have ${lacking} and aren’t`
}

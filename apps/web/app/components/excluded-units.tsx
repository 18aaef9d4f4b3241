/** Says how many units the totals leave out, and of what. */
export function ExcludedUnits({ withoutValue, withoutCost }: { withoutValue: number; withoutCost: number }) {
  if (withoutValue === 0 && withoutCost === 0) return null
  return (
    <p className="text-sm text-ink-soft">
      {[
        withoutValue > 0 && `${countUnits(withoutValue)} no value yet and aren’t included in value, cost or gain.`,
        withoutCost > 0 && `${countUnits(withoutCost)} no known cost and aren’t included in cost or gain.`,
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  )
}

function countUnits(units: number): string {
  return `${units.toLocaleString('en-US')} ${units === 1 ? 'unit has' : 'units have'}`
}

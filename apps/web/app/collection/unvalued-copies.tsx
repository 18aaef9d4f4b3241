/** Says how many copies the totals leave out because their value is unknown. */
export function UnvaluedCopies({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="text-sm text-ink-soft">
      {count === 1 ? '1 copy has' : `${count.toLocaleString('en-US')} copies have`} no value yet and{' '}
      {count === 1 ? 'isn’t' : 'aren’t'} included in any amount.
    </p>
  )
}

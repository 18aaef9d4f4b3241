import { Choice } from './field.tsx'

const EXPIRIES: [string, string][] = [
  ['never', 'Never'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
]

/** How long a new key works, as the field `expires`. */
export function ExpiryChoice({ label }: { label: string }) {
  return <Choice label={label} name="expires" options={EXPIRIES} />
}

import { SelectField } from '../ui/field.tsx'

const EXPIRY_OPTIONS: [string, string][] = [
  ['never', 'Never'],
  ['90', 'In 90 days'],
  ['365', 'In 1 year'],
]

/** Select field `expires` for the lifetime of a new key. */
export function ExpirySelect({ label }: { label: string }) {
  return <SelectField label={label} name="expires" options={EXPIRY_OPTIONS} />
}

import { MAX_NOTES, MAX_UNITS } from '@brickmark/core/portfolio/lot'
import { DateField } from '../ui/date-field.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { STATUSES } from './lot-table.tsx'

/** What a lot of any item says about its purchase. */
export function PurchaseFields({ today, maxDate }: { today: string; maxDate: string }) {
  return (
    <>
      <TextField label="Quantity" name="quantity" type="number" required min={1} max={MAX_UNITS} defaultValue={1} />
      <SelectField label="Status" name="status" options={STATUSES} />
      <TextField
        label="Purchase price (USD, each)"
        name="price"
        inputMode="decimal"
        hint="Enter 0 for gifts. Leave blank if unknown."
      />
      <DateField
        label="Purchase date"
        name="date"
        hint="Leave blank if unknown."
        defaultValue={today}
        serverDefault={today}
        max={maxDate}
      />
      <TextField label="Notes" name="notes" maxLength={MAX_NOTES} />
    </>
  )
}

import type { ImportField, ColumnMapping } from '@brickmark/core/portfolio/lot-import/format'
import type { ImportOptions, ImportPlan } from '@brickmark/core/portfolio/lot-import/plan'
import { CURRENCIES } from '@brickmark/core/portfolio/lot-import/parse-values'
import { Card } from '../ui/card.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { CONDITIONS } from '../collection/lot-table.tsx'

const FIELDS: [ImportField, string][] = [
  ['number', 'Set number'],
  ['barcode', 'Barcode (UPC or EAN)'],
  ['title', 'Title'],
  ['quantity', 'Quantity'],
  ['condition', 'Condition'],
  ['status', 'Status'],
  ['price', 'Purchase price (each)'],
  ['date', 'Purchase date'],
  ['notes', 'Notes'],
  ['collection', 'Collection'],
]

/** Fields that map the columns of an unknown format; each column shows its value in the first row. */
export function ColumnMappingFields({
  header,
  sample,
  mapping,
}: {
  header: string[]
  sample: string[]
  mapping: ColumnMapping
}) {
  const columns = header.map((name, index): [string, string] => [
    String(index),
    `${name || `Column ${index + 1}`}${sample[index] ? ` (e.g. “${sample[index].slice(0, 30)}”)` : ''}`,
  ])
  return (
    <Card title="Map your columns">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {FIELDS.map(([field, label]) => (
          <SelectField
            key={field}
            label={label}
            name={`column:${field}`}
            defaultValue={mapping[field] === undefined ? '' : String(mapping[field])}
            options={[['', 'Not in this file'], ...columns]}
          />
        ))}
      </div>
    </Card>
  )
}

/** Fields for everything the file leaves open, each asked once for all rows. */
export function ImportQuestions({
  questions: { ambiguousDate, pricesWithoutCurrency, currencies, missing, invalidDefaults: errors },
  importOptions,
  targets,
  target,
  today,
}: {
  questions: Pick<ImportPlan, 'ambiguousDate' | 'pricesWithoutCurrency' | 'currencies' | 'missing' | 'invalidDefaults'>
  importOptions: ImportOptions
  targets: [value: string, label: string][]
  target: string
  today: string
}) {
  const rows = (count: number) => `Missing in ${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}.`
  return (
    <Card title="A few questions about this file">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField label="Add to collection" name="target" defaultValue={target} options={targets} />
        {(ambiguousDate || importOptions.dates) && (
          <SelectField
            label="Date format"
            name="dates"
            required
            defaultValue={importOptions.dates ?? ''}
            hint={ambiguousDate && `Row ${ambiguousDate.row} has ${ambiguousDate.text}.`}
            options={[
              ['', 'Choose…'],
              ['day-first', 'DD/MM/YYYY'],
              ['month-first', 'MM/DD/YYYY'],
            ]}
          />
        )}
        {pricesWithoutCurrency && (
          <SelectField
            label="Currency"
            name="currency"
            required
            defaultValue={importOptions.currency ?? ''}
            options={[['', 'Choose…'], ...CURRENCIES.map((code): [string, string] => [code, code])]}
          />
        )}
        {currencies.map((code) => (
          <TextField
            key={code}
            label={`Exchange rate: 1 ${code} in USD`}
            name={`rate:${code}`}
            required
            inputMode="decimal"
            placeholder="1.08"
            defaultValue={importOptions.rates?.[code] ?? ''}
          />
        ))}
        {missing.condition > 0 && (
          <SelectField
            label="Default condition"
            name="condition"
            defaultValue={importOptions.condition ?? 'sealed'}
            hint={rows(missing.condition)}
            options={CONDITIONS}
          />
        )}
        {missing.price > 0 && (
          <TextField
            label="Default purchase price (USD, each)"
            name="price"
            inputMode="decimal"
            placeholder="Unknown"
            defaultValue={importOptions.price ?? ''}
            hint={`${rows(missing.price)} Leave blank if unknown; enter 0 for gifts.`}
            error={errors.price}
          />
        )}
        {missing.date > 0 && (
          <TextField
            label="Default purchase date"
            name="date"
            type="date"
            max={today}
            defaultValue={importOptions.date ?? ''}
            hint={`${rows(missing.date)} Leave blank if unknown.`}
            error={errors.date}
          />
        )}
        {(missing.price > 0 || missing.date > 0) && (
          <SelectField
            label="If price or date is unknown"
            name="fallback"
            defaultValue={importOptions.fallback ?? ''}
            hint="Without a purchase price, a set has a value but no gain."
            options={[
              ['', 'Leave it blank'],
              ['retail', 'Use retail price and release date'],
            ]}
          />
        )}
      </div>
    </Card>
  )
}

/** Select fields for rows that match several sets; identical rows share one field. */
export function SetChoices({
  choices,
  importOptions,
}: {
  choices: ImportPlan['choices']
  importOptions: ImportOptions
}) {
  return (
    <Card title="Choose the right set">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {choices.map(({ key, row, rows, candidates }) => (
          <SelectField
            key={key}
            label={key}
            name={`choice:${key}`}
            defaultValue={importOptions.choices?.[key] ?? ''}
            hint={rows === 1 ? `Row ${row}` : `${rows} rows, starting at row ${row}`}
            options={[
              ['', 'Skip'],
              ...candidates.map((set): [string, string] => [set.set_number, `${set.set_number} ${set.title}`]),
            ]}
          />
        ))}
      </div>
    </Card>
  )
}

import type { ImportField, ColumnMapping } from '@brickmark/core/portfolio/lot-import/format'
import type { ImportOptions, ImportPlan } from '@brickmark/core/portfolio/lot-import/plan'
import { CURRENCIES } from '@brickmark/core/portfolio/lot-import/parse-values'
import { Card } from './card.tsx'
import { SelectField, TextField } from './field.tsx'
import { CONDITIONS } from './lot-table.tsx'

const FIELDS: [ImportField, string][] = [
  ['number', 'Set number'],
  ['barcode', 'UPC or EAN'],
  ['title', 'Title'],
  ['quantity', 'Units'],
  ['condition', 'Condition'],
  ['status', 'Status'],
  ['price', 'Price paid each'],
  ['date', 'Day bought'],
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
    `${name || `Column ${index + 1}`}${sample[index] ? `, like “${sample[index].slice(0, 30)}”` : ''}`,
  ])
  return (
    <Card title="Which column is what?">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {FIELDS.map(([field, label]) => (
          <SelectField
            key={field}
            label={label}
            name={`column:${field}`}
            defaultValue={mapping[field] === undefined ? '' : String(mapping[field])}
            options={[['', 'Not in the file'], ...columns]}
          />
        ))}
      </div>
    </Card>
  )
}

/** Fields for everything the file leaves open, each asked once for all rows. */
export function ImportQuestions({
  questions: { ambiguousDate, pricesWithoutCurrency, currencies, missing, invalidDefaults: errors },
  answers,
  targets,
  target,
  today,
}: {
  questions: Pick<ImportPlan, 'ambiguousDate' | 'pricesWithoutCurrency' | 'currencies' | 'missing' | 'invalidDefaults'>
  answers: ImportOptions
  targets: [value: string, label: string][]
  target: string
  today: string
}) {
  const rows = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'row does' : 'rows do'} not say.`
  return (
    <Card title="Questions about this file">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField label="Into which collection?" name="target" defaultValue={target} options={targets} />
        {(ambiguousDate || answers.dates) && (
          <SelectField
            label="Which comes first in its dates?"
            name="dates"
            required
            defaultValue={answers.dates ?? ''}
            hint={ambiguousDate && `Row ${ambiguousDate.row} says ${ambiguousDate.text}.`}
            options={[
              ['', 'Choose…'],
              ['day-first', 'The day: 31/12/2025'],
              ['month-first', 'The month: 12/31/2025'],
            ]}
          />
        )}
        {pricesWithoutCurrency && (
          <SelectField
            label="In which currency are its prices?"
            name="currency"
            required
            defaultValue={answers.currency ?? ''}
            options={[['', 'Choose…'], ...CURRENCIES.map((code): [string, string] => [code, code])]}
          />
        )}
        {currencies.map((code) => (
          <TextField
            key={code}
            label={`How many US dollars is one ${code}?`}
            name={`rate:${code}`}
            required
            inputMode="decimal"
            placeholder="1.08"
            defaultValue={answers.rates?.[code] ?? ''}
          />
        ))}
        {missing.condition > 0 && (
          <SelectField
            label="Sealed or used?"
            name="condition"
            defaultValue={answers.condition ?? 'sealed'}
            hint={rows(missing.condition)}
            options={CONDITIONS}
          />
        )}
        {missing.price > 0 && (
          <TextField
            label="What did one cost, in dollars?"
            name="price"
            inputMode="decimal"
            placeholder="Unknown"
            defaultValue={answers.price ?? ''}
            hint={`${rows(missing.price)} Leave it empty if you don’t know; 0 for a gift.`}
            error={errors.price}
          />
        )}
        {missing.date > 0 && (
          <TextField
            label="When was it bought?"
            name="date"
            type="date"
            max={today}
            defaultValue={answers.date ?? ''}
            hint={`${rows(missing.date)} Leave it empty if you don’t know.`}
            error={errors.date}
          />
        )}
        {(missing.price > 0 || missing.date > 0) && (
          <SelectField
            label="If you don’t know cost or date"
            name="fallback"
            defaultValue={answers.fallback ?? ''}
            hint="Without a cost, a set has a value but no gain."
            options={[
              ['', 'Leave it unknown'],
              ['retail', 'Use retail price and release date'],
            ]}
          />
        )}
      </div>
    </Card>
  )
}

/** Select fields for rows that match several sets; identical rows share one field. */
export function SetChoices({ choices, answers }: { choices: ImportPlan['choices']; answers: ImportOptions }) {
  return (
    <Card title="Which set is it?">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {choices.map(({ key, row, rows, candidates }) => (
          <SelectField
            key={key}
            label={key}
            name={`choice:${key}`}
            defaultValue={answers.choices?.[key] ?? ''}
            hint={rows === 1 ? `Row ${row}.` : `${rows} rows, the first is ${row}.`}
            options={[
              ['', 'Skip it'],
              ...candidates.map((set): [string, string] => [set.set_number, `${set.set_number} ${set.title}`]),
            ]}
          />
        ))}
      </div>
    </Card>
  )
}

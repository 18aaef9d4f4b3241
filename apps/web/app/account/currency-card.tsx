import { Card } from '../ui/card.tsx'
import { SelectField } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { useRootData } from '../ui/root-data.ts'

const NAMES = new Intl.DisplayNames('en', { type: 'currency' })

/** Chooses a currency for this browser. `currencies` are those whose rate is known. */
export function CurrencyCard({ currencies }: { currencies: string[] }) {
  const chosen = useRootData()?.exchangeRate?.currency ?? ''
  if (currencies.length === 0) return null
  return (
    <Card title="Currency">
      <p className="mb-3 max-w-prose text-ink-soft">
        Values are in US dollars. We can show main figures in another currency beside them in this browser, at the daily
        reference rates of the European Central Bank. Exports and the API stay in US dollars.
      </p>
      <div className="max-w-sm">
        <Form submitLabel="Save currency" variant="plain" action="/currency">
          <input type="hidden" name="to" value="/account" />
          <SelectField
            label="Also show"
            name="currency"
            defaultValue={chosen}
            options={[
              ['', 'US dollars only'],
              ...currencies.map((code): [string, string] => [code, `${NAMES.of(code) ?? code} (${code})`]),
            ]}
          />
        </Form>
      </div>
    </Card>
  )
}

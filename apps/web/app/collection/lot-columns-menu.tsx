import { Columns3 } from 'lucide-react'
import { Form } from 'react-router'
import { Button } from '../ui/button.tsx'
import { LOT_COLUMNS } from './lot-table.tsx'

/**
 * Chooses the columns of the lot table. The choice is in the URL, so it can be bookmarked. Hidden on phones, where a row
 * has two lines.
 */
export function LotColumnsMenu({ visible, search }: { visible: string[]; search: URLSearchParams }) {
  const kept = [...search].filter(([name]) => name !== 'column' && name !== 'edit')
  return (
    // A new key closes the menu after a choice.
    <details key={visible.join()} className="relative ml-auto hidden md:block">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-control border border-line-strong px-3 py-1">
        <Columns3 aria-hidden="true" className="size-4" /> Columns
      </summary>
      <Form
        preventScrollReset
        className="absolute right-0 z-10 mt-1 grid w-48 gap-2 rounded-card border border-line bg-raised p-3 shadow-floating"
      >
        {kept.map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        {LOT_COLUMNS.map(([key, title]) => (
          <label key={key} className="flex items-center gap-2">
            <input
              type="checkbox"
              name="column"
              value={key}
              defaultChecked={visible.includes(key)}
              className="size-4 accent-accent"
            />
            {title}
          </label>
        ))}
        <Button>Apply</Button>
      </Form>
    </details>
  )
}

import { Form } from 'react-router'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'

/** Search form for sets and minifigs. */
export function SearchBox({ query = '', autoFocus = false }: { query?: string; autoFocus?: boolean }) {
  return (
    <Form action="/search" role="search" className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-1 basis-56">
        <TextField
          label="Set number, name or barcode"
          name="q"
          type="search"
          required
          minLength={2}
          maxLength={200}
          defaultValue={query}
          autoComplete="off"
          autoFocus={autoFocus}
        />
      </div>
      <Button>Search</Button>
    </Form>
  )
}

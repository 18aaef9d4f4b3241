import { Search } from 'lucide-react'
import { useId } from 'react'
import { Form } from 'react-router'

/**
 * Search field that suggests sets and minifigs while typing. `suggestions.js` fills the list, so that pages for visitors
 * need no other script; without it, the form leads to the search page.
 */
export function SearchField({ large = false }: { large?: boolean }) {
  const listId = useId()
  return (
    <Form
      action="/search"
      role="search"
      aria-label="Catalog"
      className={`relative flex-1 ${large ? 'max-w-xl' : 'max-w-md'}`}
    >
      <Search
        aria-hidden="true"
        className={`absolute text-ink-faint ${large ? 'top-4 left-4 size-5' : 'top-2.5 left-3 size-4'}`}
      />
      <input
        type="search"
        name="q"
        required
        minLength={2}
        maxLength={200}
        autoComplete="off"
        data-suggestions={listId}
        aria-label="Find a set or minifig"
        aria-controls={listId}
        placeholder="Set number, name or barcode"
        className={`w-full border border-line-strong bg-card placeholder:text-ink-faint ${
          large ? 'h-13 rounded-card pr-28 pl-12 text-lg shadow-card' : 'h-9 rounded-control pr-14 pl-9'
        }`}
      />
      {large ? (
        <button
          type="submit"
          className="absolute top-1.5 right-1.5 h-10 rounded-control bg-accent px-5 font-medium text-on-accent hover:bg-accent-hover"
        >
          Look up
        </button>
      ) : (
        <kbd
          aria-hidden="true"
          className="absolute top-2 right-2 rounded-badge border border-line px-1.5 font-sans text-xs text-ink-faint"
        >
          Ctrl K
        </kbd>
      )}
      <div
        id={listId}
        role="listbox"
        aria-label="Suggestions"
        hidden
        suppressHydrationWarning
        className="absolute inset-x-0 top-full z-20 mt-1 max-h-96 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-floating"
      />
    </Form>
  )
}

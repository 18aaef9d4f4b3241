import { Page } from './page.tsx'
import { SearchBox } from './search-box.tsx'

/** Not-found page for an unknown set or minifig number. */
export function CatalogNotFound({ kind, number }: { kind: 'set' | 'minifig'; number: string }) {
  return (
    <Page
      title={`There is no ${kind} ${number}`}
      description="Perhaps a digit is wrong, or it is not in the catalog yet. Try its name or the code on the box."
    >
      <title>{`There is no ${kind} ${number} · Brickmark`}</title>
      <div className="max-w-lg">
        <SearchBox query={number} />
      </div>
    </Page>
  )
}

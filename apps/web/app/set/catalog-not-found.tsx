import { capitalize } from '../ui/capitalize.ts'
import { Page } from '../ui/page.tsx'
import { SearchBox } from '../search/search-box.tsx'

/** Not-found page for an unknown set or minifig number. */
export function CatalogNotFound({ kind, number }: { kind: 'set' | 'minifig'; number: string }) {
  const title = `${capitalize(kind)} ${number} not found`
  return (
    <Page title={title} description="Check the number, or search by name or barcode. It may not be in our catalog yet.">
      <title>{`${title} · Brickmark`}</title>
      <div className="max-w-lg">
        <SearchBox query={number} />
      </div>
    </Page>
  )
}

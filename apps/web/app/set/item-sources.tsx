import type { ItemSource } from '@brickmark/core/catalog/origin'
import { Card } from '../ui/card.tsx'
import { formatDate } from '../ui/format-date.ts'

const ATTRIBUTE_LABELS: Record<string, string> = {
  title: 'title',
  name: 'name',
  theme: 'theme',
  subtheme: 'subtheme',
  category: 'category',
  color: 'color',
  pieces: 'pieces',
  msrp_cents: 'retail price',
  release_year: 'release year',
  release_date: 'release date',
  retire_date: 'retirement date',
  year_released: 'release year',
  minifigs: 'minifigs',
  asin: 'product codes',
  upc: 'product codes',
  ean: 'product codes',
  image_url: 'picture',
  box_width_in: 'box size',
  box_height_in: 'box size',
  box_depth_in: 'box size',
  box_weight_lbs: 'box size',
}

/** Says which source each fact about a set or minifig comes from. */
export function ItemSources({ sources }: { sources: ItemSource[] }) {
  if (sources.length === 0) return null
  return (
    <Card title="Where this comes from">
      <ul className="grid gap-2 text-sm">
        {sources.map(({ name, attribution, attribution_url: url, on, attributes }) => (
          <li key={name}>
            <strong className="font-medium">{name}</strong>, {formatDate(on)}:{' '}
            {[...new Set(attributes.map((attribute) => ATTRIBUTE_LABELS[attribute] ?? attribute))].join(', ')}
            {attribution !== null && (
              <span className="text-ink-soft">
                {' · '}
                {url === null ? attribution : <a href={url}>{attribution}</a>}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

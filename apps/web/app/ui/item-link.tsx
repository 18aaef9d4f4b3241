import { Package } from 'lucide-react'
import { Link } from 'react-router'
import { parseItem } from '@brickmark/core/portfolio/item'
import { Picture } from './picture.tsx'

/** Picture of what a lot holds. A custom item has none, so it gets a box. */
export function ItemPicture({ item }: { item: string }) {
  const { kind, number } = parseItem(item)
  if (kind !== 'custom') return <Picture kind={kind === 'set' ? 'sets' : 'minifigs'} number={number} />
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-control border border-dashed border-line-strong">
      <Package aria-hidden="true" className="size-5 text-ink-soft" />
    </span>
  )
}

/** Title of an item, which links to its page if it has one. */
export function ItemTitle({ item, title, className = '' }: { item: string; title: string; className?: string }) {
  const { kind, number } = parseItem(item)
  if (kind === 'custom') return <span className={`font-medium wrap-anywhere text-ink ${className}`}>{title}</span>
  return (
    <Link
      to={`/${kind}/${encodeURIComponent(number)}`}
      className={`font-medium text-ink no-underline hover:underline ${className}`}
    >
      {title}
    </Link>
  )
}

/** Number below the title: of a set as it is, with its kind for anything else. */
export function itemNote(item: string): string {
  const { kind, number } = parseItem(item)
  return kind === 'set' ? number : kind === 'minifig' ? `${number} · minifig` : 'Custom item'
}

/** Number and title, for labels. A custom item has only a title. */
export function itemName(item: string, title: string): string {
  const { kind, number } = parseItem(item)
  return kind === 'custom' ? title : `${number} ${title}`
}

/** Item in a table: its picture, and its title with the number below, on phones with a note after it. */
export function ItemLink({ item, title, phoneNote }: { item: string; title: string; phoneNote?: string }) {
  return (
    <span className="flex min-w-0 items-center gap-3 text-left">
      <ItemPicture item={item} />
      <span className="min-w-0">
        <ItemTitle item={item} title={title} />
        <span className="block text-xs font-normal text-ink-soft">
          {itemNote(item)}
          {phoneNote !== undefined && <span className="md:hidden"> · {phoneNote}</span>}
        </span>
      </span>
    </span>
  )
}

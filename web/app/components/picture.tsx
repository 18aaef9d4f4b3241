/** A picture, or in its place the first letters of what it would show. It says nothing that the title does not say. */
export function Picture({ url, title }: { url: string | null; title: string }) {
  const letters = title
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  return (
    <div className="relative grid size-20 shrink-0 sm:size-24 place-items-center overflow-hidden rounded-card border border-line bg-sunken">
      <span aria-hidden="true" className="text-2xl font-semibold text-ink-soft">
        {letters}
      </span>
      {url?.startsWith('https://') && (
        <img src={url} alt="" loading="lazy" className="absolute inset-0 size-full bg-transparent object-contain" />
      )}
    </div>
  )
}

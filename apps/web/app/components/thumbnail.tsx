import { useState } from 'react'
/** A picture, or in its place the first letters of what it would show. It says nothing that the title does not say. */
export function Thumbnail({ url, title }: { url: string | null; title: string }) {
  const initials = title
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  const [failed, setBroken] = useState(false)
  return (
    <div className="relative grid size-20 shrink-0 sm:size-24 place-items-center overflow-hidden rounded-card border border-line bg-sunken">
      <span aria-hidden="true" className="text-2xl font-semibold text-ink-soft">
        {initials}
      </span>
      {url?.startsWith('https://') && !failed && (
        <img
          src={url}
          alt=""
          className="absolute inset-0 size-full bg-transparent object-contain"
          // It may have failed before this script was there to be told.
          ref={(image) => void (image?.complete && image.naturalWidth === 0 && setBroken(true))}
          onError={() => setBroken(true)}
        />
      )}
    </div>
  )
}

import { useState } from 'react'
/** Image with the title's initials as fallback. Decorative: it adds nothing to the title. */
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
          // The image may have failed to load before hydration.
          ref={(image) => void (image?.complete && image.naturalWidth === 0 && setBroken(true))}
          onError={() => setBroken(true)}
        />
      )}
    </div>
  )
}

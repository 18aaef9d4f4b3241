import type { CSSProperties } from 'react'

const SIZES = {
  row: 'size-10 rounded-control p-0.5',
  tile: 'aspect-square w-full rounded-card p-3',
  bare: 'aspect-square w-full',
  banner: 'studded aspect-[1.9] w-full p-2',
  stage: 'studded aspect-[1.45] max-h-80 w-full rounded-stage p-4 lg:aspect-square',
}

/**
 * Picture of a set or minifig on a plinth, tinted by its theme where the page knows it. Decorative: the page shows its name
 * next to it.
 */
export function Picture({
  kind,
  number,
  size = 'row',
  tint,
  isIllustration = false,
}: {
  kind: 'sets' | 'minifigs'
  number: string
  size?: keyof typeof SIZES
  tint?: string
  /** Says below the picture that it doesn't show the real product. */
  isIllustration?: boolean
}) {
  const isLarge = size === 'stage' || size === 'banner'
  return (
    <span
      className={`${size === 'bare' ? '' : 'plinth'} relative grid shrink-0 grid-cols-1 grid-rows-1 place-items-center overflow-hidden ${SIZES[size]}`}
      style={tint === undefined ? undefined : ({ '--tint': tint } as CSSProperties)}
    >
      <img
        src={`/pictures/${kind}/${encodeURIComponent(number)}`}
        alt=""
        width={40}
        height={40}
        loading={isLarge ? 'eager' : 'lazy'}
        fetchPriority={isLarge ? 'high' : 'auto'}
        className="size-full object-contain"
      />
      {isIllustration && <span className="absolute bottom-2 left-3 text-xs text-ink-soft">Illustration</span>}
    </span>
  )
}

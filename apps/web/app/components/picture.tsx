import type { CSSProperties } from 'react'

const SIZES = {
  row: 'size-10 rounded-control p-0.5',
  tile: 'aspect-square w-full rounded-card p-3',
  stage: 'studded aspect-[1.45] w-full rounded-stage p-4 sm:aspect-square',
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
}: {
  kind: 'sets' | 'minifigs'
  number: string
  size?: keyof typeof SIZES
  tint?: string
}) {
  return (
    <span
      className={`plinth relative grid shrink-0 place-items-center overflow-hidden ${SIZES[size]}`}
      style={tint === undefined ? undefined : ({ '--tint': tint } as CSSProperties)}
    >
      <img
        src={`/pictures/${kind}/${encodeURIComponent(number)}`}
        alt=""
        width={40}
        height={40}
        loading={size === 'stage' ? 'eager' : 'lazy'}
        fetchPriority={size === 'stage' ? 'high' : 'auto'}
        className="size-full object-contain"
      />
      {size === 'stage' && <span className="absolute bottom-2 left-3 text-xs text-ink-soft">Illustration</span>}
    </span>
  )
}

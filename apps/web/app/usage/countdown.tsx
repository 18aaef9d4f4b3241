import { useEffect, useState } from 'react'

/** Time until `to`, which is midnight UTC; with JavaScript, also in local time. */
export function Countdown({ to, now }: { to: string; now: string }) {
  const [elapsedMs, setPassed] = useState<number>()
  useEffect(() => {
    const started = Date.now()
    const tick = () => setPassed(Date.now() - started)
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [to, now])
  // Based on the server's clock, so that a wrong client clock does not matter.
  const remainingMs = Math.max(0, Date.parse(to) - Date.parse(now) - (elapsedMs ?? 0))
  const local = elapsedMs === undefined ? '' : `, ${formatLocalTime(new Date(to))} local time`
  return (
    <span>
      in {formatDuration(remainingMs)} <span className="text-ink-soft">(00:00 UTC{local})</span>
    </span>
  )
}

function formatDuration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return hours === 0 ? `${rest}m` : `${hours}h ${rest}m`
}

function formatLocalTime(date: Date): string {
  return date.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

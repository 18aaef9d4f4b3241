import { useEffect, useRef, type ComponentProps } from 'react'
import { TextField } from './field.tsx'

/**
 * A day, until today. `guessed` is the server's idea of today: it cannot know which day it is where somebody sits, but the browser
 * does, and puts it right unless another was chosen.
 */
export function DateField({
  serverDefault,
  ...field
}: Omit<ComponentProps<typeof TextField>, 'type' | 'ref'> & { serverDefault: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const now = new Date()
    const localToday = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    input.current!.max = localToday
    if (input.current!.value === serverDefault) input.current!.value = localToday
  }, [serverDefault])
  return <TextField {...field} ref={input} type="date" />
}

import { useEffect, useRef, type ComponentProps } from 'react'
import { Field } from './field.tsx'

/**
 * A day, until today. `guessed` is the server's idea of today: it cannot know which day it is where somebody sits, but the browser
 * does, and puts it right unless another was chosen.
 */
export function DayField({
  guessed,
  ...field
}: Omit<ComponentProps<typeof Field>, 'type' | 'ref'> & { guessed: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const now = new Date()
    const here = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    input.current!.max = here
    if (input.current!.value === guessed) input.current!.value = here
  }, [guessed])
  return <Field {...field} ref={input} type="date" />
}
